/**
 * The token is in the fragment of the link, which browsers send to nobody. While its holder signs in elsewhere this tab keeps
 * it, so that it gets into no address that others see.
 */

const key = 'invitation';

export function readInvitationToken(hash: string): string {
  const token = hash.slice(1);
  if (token) sessionStorage.setItem(key, token);
  return token || (sessionStorage.getItem(key) ?? '');
}

export const forgetInvitationToken = (): void => sessionStorage.removeItem(key);
