import {
  dashboardPath,
  identityProvider,
  signInPath,
} from '../contracts/processes/web-addresses.ts';
import { queryClient } from './admin.ts';
import { forgetLastWorkspace } from './session.tsx';

/** Signs in and out by the routes of better-auth, which are not part of the admin router. */

/** An error answer of one of these routes. `code` is empty if the server sent none. `message` is for the user. */
export class SignInError extends Error {
  override readonly name = 'SignInError';
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

async function post<T>(path: string, body: object): Promise<T> {
  const response = await fetch(`${signInPath}${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  const answer = await response.json().catch(() => ({}));
  if (response.ok) return answer;
  if (response.status === 429)
    throw new SignInError('too_many_tries', 'Too many attempts. Wait a minute, then try again.');
  throw new SignInError(answer.code ?? answer.error ?? '', answer.message ?? response.statusText);
}

export const signInByPassword = (credentials: { email: string; password: string }) =>
  post<unknown>('/sign-in/email', credentials);

/** Opens the page of the identity provider. After the sign-in, the browser opens `next`, a path below `/dashboard`. */
export async function signInByIdentityProvider(next: string): Promise<void> {
  const { url } = await post<{ url: string }>('/sign-in/social', {
    provider: identityProvider,
    callbackURL: `${dashboardPath}${next}`,
    errorCallbackURL: `${dashboardPath}/sign-in`,
  });
  window.location.assign(url);
}

/**
 * Creates an account for the invited person and accepts the invitation. A person with an account signs in and accepts by the admin
 * router instead.
 */
export const acceptInvitation = (account: { token: string; name: string; password: string }) =>
  post<{ workspaceId: string }>('/accept-invitation', account);

/** Changes the password and ends all other sessions of the user. */
export const changePassword = (passwords: { currentPassword: string; newPassword: string }) =>
  post<unknown>('/change-password', passwords);

/**
 * Signs out, then opens `next`, a path below `/dashboard`. Forgets all data that was read and the last workspace, because somebody
 * else may sign in next.
 */
export async function signOut(next = '/sign-in'): Promise<void> {
  await post('/sign-out', {});
  queryClient.clear();
  forgetLastWorkspace();
  window.location.assign(`${dashboardPath}${next}`);
}
