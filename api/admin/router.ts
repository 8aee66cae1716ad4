import { accountRouter } from './account.ts';
import { aliasesRouter } from './aliases.ts';
import { apiKeysRouter } from './api-keys.ts';
import { auditLogRouter } from './audit-log.ts';
import { billingRouter } from './billing.ts';
import { deploysRouter } from './deploys.ts';
import { invitationsRouter } from './invitations.ts';
import { jobsRouter } from './jobs.ts';
import { membersRouter } from './members.ts';
import { outputsRouter } from './outputs.ts';
import { pdfsRouter } from './pdfs.ts';
import { peopleRouter } from './people.ts';
import { permanentLinksRouter } from './permanent-links.ts';
import { plansRouter } from './plans.ts';
import { router } from './procedures.ts';
import { queueRouter } from './queue.ts';
import { usageRouter } from './usage.ts';
import { versionsRouter } from './versions.ts';
import { webhooksRouter } from './webhooks.ts';
import { workspacesRouter } from './workspaces.ts';

/** All procedures for people and internal tools. The dashboard uses no other API, except for the sign-in. */
export const adminRouter = router({
  account: accountRouter,
  people: peopleRouter,
  workspaces: workspacesRouter,
  plans: plansRouter,
  members: membersRouter,
  invitations: invitationsRouter,
  apiKeys: apiKeysRouter,
  deploys: deploysRouter,
  versions: versionsRouter,
  aliases: aliasesRouter,
  jobs: jobsRouter,
  outputs: outputsRouter,
  pdfs: pdfsRouter,
  permanentLinks: permanentLinksRouter,
  webhooks: webhooksRouter,
  usage: usageRouter,
  billing: billingRouter,
  queue: queueRouter,
  auditLog: auditLogRouter,
});

export type AdminRouter = typeof adminRouter;
