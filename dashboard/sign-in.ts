import {
  dashboardPath,
  identityProvider,
  signInPath,
} from '../contracts/processes/web-addresses.ts';
import { queryClient } from './admin.ts';
import { forgetLastWorkspace } from './session.tsx';

/** What signs in and out: better-auth's addresses, which the admin router has no part in. */

/** A refusal, with the code and the sentence that the server gave. */
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
    throw new SignInError('too_many_tries', 'Too many tries. Wait a minute, then try again.');
  throw new SignInError(answer.code ?? answer.error ?? '', answer.message ?? response.statusText);
}

export const signInByPassword = (given: { email: string; password: string }) =>
  post<unknown>('/sign-in/email', given);

/** Leaves for the identity provider, which sends back to `next`, a page of ours. */
export async function signInByIdentityProvider(next: string): Promise<void> {
  const { url } = await post<{ url: string }>('/sign-in/social', {
    provider: identityProvider,
    callbackURL: `${dashboardPath}${next}`,
    errorCallbackURL: `${dashboardPath}/sign-in`,
  });
  window.location.assign(url);
}

/** As a new person; who has an account signs in and accepts by the admin router. */
export const acceptInvitation = (given: { token: string; name: string; password: string }) =>
  post<{ workspaceId: string }>('/accept-invitation', given);

/** All other sessions end with it. */
export const changePassword = (given: { currentPassword: string; newPassword: string }) =>
  post<unknown>('/change-password', given);

/** Forgets everything that this page had read, and what was open: whoever signs in next may be somebody else. */
export async function signOut(next = '/sign-in'): Promise<void> {
  await post('/sign-out', {});
  queryClient.clear();
  forgetLastWorkspace();
  window.location.assign(`${dashboardPath}${next}`);
}
