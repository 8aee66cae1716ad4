/** Addresses of this service that browsers open. The dashboard, the API and the launcher share them. */

export const dashboardPath = '/dashboard';
/** Path of better-auth and of our own sign-in endpoints. */
export const signInPath = '/dashboard/api/auth';
/** Name of the one identity provider that can be configured. It is a part of the sign-in addresses. */
export const identityProvider = 'oidc';
/** Path of the admin router. */
export const adminPath = '/trpc';

/** Path of the dashboard page of a job. */
export const jobPage = (workspaceId: string, jobId: string): string =>
  `${dashboardPath}/${workspaceId}/jobs/${jobId}`;

/** Placeholder in the dashboard's page. The API replaces it by a new nonce for each answer. */
export const noncePlaceholder = '{csp-nonce}';

/** Link that signs in the user of the token, once, and shows the dashboard. */
export const signInLink = (publicUrl: string, token: string): string =>
  `${publicUrl}${signInPath}/one-time-link?token=${token}`;

/**
 * Link to the dashboard page that shows an invitation. The token gets into no log: browsers do not send the fragment, and the page
 * sends the token in request bodies.
 */
export const invitationLink = (publicUrl: string, token: string): string =>
  `${publicUrl}${dashboardPath}/invitation#${token}`;
