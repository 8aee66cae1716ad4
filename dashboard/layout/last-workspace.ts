/** Which workspace was open last: the one to open next time. */

const key = 'last-workspace';

export const readLastWorkspace = (): string | undefined => localStorage.getItem(key) ?? undefined;
export const writeLastWorkspace = (workspaceId: string): void =>
  localStorage.setItem(key, workspaceId);
export const forgetLastWorkspace = (): void => localStorage.removeItem(key);
