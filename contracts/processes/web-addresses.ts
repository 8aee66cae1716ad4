/** Addresses below the service's own that people's browsers go to; the dashboard, the API and the launcher agree on them here. */

export const dashboardPath = '/dashboard';
/** Where better-auth answers, and what we add to it. */
export const signInPath = '/dashboard/api/auth';
/** What sign-in calls the one identity provider that can be configured; it is a part of its addresses. */
export const identityProvider = 'oidc';
export const adminPath = '/trpc';

/** The page of a job, below the public address. */
export const jobPage = (workspaceId: string, jobId: string): string =>
  `${dashboardPath}/${workspaceId}/jobs/${jobId}`;

/** The API puts a fresh nonce in its place each time that it sends the dashboard's page. */
export const noncePlaceholder = '{csp-nonce}';

/** Signs in the person that the token is of, once, and shows the dashboard. */
export const signInLink = (publicUrl: string, token: string): string =>
  `${publicUrl}${signInPath}/one-time-link?token=${token}`;

/** A page of the dashboard. The token is in the fragment, which browsers do not send, and the page sends it in bodies: it gets into no log. */
export const invitationLink = (publicUrl: string, token: string): string =>
  `${publicUrl}${dashboardPath}/invitation#${token}`;
