import {
  IconBuilding,
  IconChartBar,
  IconCreditCard,
  IconFileCode,
  IconFileTypePdf,
  IconHistory,
  IconHome,
  IconKey,
  IconPrinter,
  type IconProps,
  IconShieldCheck,
  IconStack2,
  IconUsers,
  IconWebhook,
} from '@tabler/icons-react';
import type { ComponentType } from 'react';

/**
 * A page for signed-in users. To add one: write its row here and its file in `pages/`, and add the procedure that it reads to
 * `api/admin/`. The navigation shows the pages in the order of the rows.
 */
export interface Page {
  /** A path pattern of react-router, below `/dashboard`. */
  readonly path: string;
  /** The text of its link in the navigation, and the heading shown to users who may not see the page. */
  readonly title: string;
  /**
   * Who sees the page: `member` is everybody in the workspace, `owner` is owners and operators, `operator` is operators only.
   * This only decides what is shown. The admin router decides what is allowed.
   */
  readonly visibleTo: 'member' | 'owner' | 'operator';
  /** Absent for a page that is reached only from other pages. */
  readonly navigation?: {
    readonly icon: ComponentType<IconProps>;
    readonly group: NavigationGroup;
  };
  readonly load: () => Promise<{ default: ComponentType }>;
}

export const navigationGroups = ['Documents', 'Workspace', 'Service'] as const;
export type NavigationGroup = (typeof navigationGroups)[number];

/** Pages of one workspace. Their components get the workspace from `useWorkspace()`. */
export const workspacePages: readonly Page[] = [
  {
    path: ':workspaceId',
    title: 'Overview',
    visibleTo: 'member',
    navigation: { icon: IconHome, group: 'Documents' },
    load: () => import('./pages/overview.tsx'),
  },
  {
    path: ':workspaceId/jobs',
    title: 'Jobs',
    visibleTo: 'member',
    navigation: { icon: IconPrinter, group: 'Documents' },
    load: () => import('./pages/jobs.tsx'),
  },
  {
    path: ':workspaceId/jobs/:jobId',
    title: 'Job',
    visibleTo: 'member',
    load: () => import('./pages/job.tsx'),
  },
  {
    path: ':workspaceId/documents',
    title: 'Documents',
    visibleTo: 'member',
    navigation: { icon: IconFileCode, group: 'Documents' },
    load: () => import('./pages/documents.tsx'),
  },
  {
    path: ':workspaceId/documents/:deployId',
    title: 'Document',
    visibleTo: 'member',
    load: () => import('./pages/document.tsx'),
  },
  {
    path: ':workspaceId/documents/:deployId/versions/:versionId',
    title: 'Version',
    visibleTo: 'member',
    load: () => import('./pages/version.tsx'),
  },
  {
    path: ':workspaceId/pdfs',
    title: 'PDFs',
    visibleTo: 'member',
    navigation: { icon: IconFileTypePdf, group: 'Documents' },
    load: () => import('./pages/pdfs.tsx'),
  },
  {
    path: ':workspaceId/pdfs/:pdfId',
    title: 'PDF',
    visibleTo: 'member',
    load: () => import('./pages/pdf.tsx'),
  },
  {
    path: ':workspaceId/queue',
    title: 'Queue',
    visibleTo: 'member',
    navigation: { icon: IconStack2, group: 'Documents' },
    load: () => import('./pages/queue.tsx'),
  },
  {
    path: ':workspaceId/usage',
    title: 'Usage',
    visibleTo: 'member',
    navigation: { icon: IconChartBar, group: 'Workspace' },
    load: () => import('./pages/usage.tsx'),
  },
  {
    path: ':workspaceId/keys',
    title: 'API keys',
    visibleTo: 'member',
    navigation: { icon: IconKey, group: 'Workspace' },
    load: () => import('./pages/api-keys.tsx'),
  },
  {
    path: ':workspaceId/webhooks',
    title: 'Webhooks',
    visibleTo: 'member',
    navigation: { icon: IconWebhook, group: 'Workspace' },
    load: () => import('./pages/webhooks.tsx'),
  },
  {
    path: ':workspaceId/webhooks/:deliveryId',
    title: 'Webhook delivery',
    visibleTo: 'member',
    load: () => import('./pages/webhook-delivery.tsx'),
  },
  {
    path: ':workspaceId/members',
    title: 'Members',
    visibleTo: 'member',
    navigation: { icon: IconUsers, group: 'Workspace' },
    load: () => import('./pages/members.tsx'),
  },
  {
    path: ':workspaceId/plan',
    title: 'Plan',
    visibleTo: 'owner',
    navigation: { icon: IconCreditCard, group: 'Workspace' },
    load: () => import('./pages/plan.tsx'),
  },
  {
    path: ':workspaceId/audit-log',
    title: 'Audit log',
    visibleTo: 'owner',
    navigation: { icon: IconHistory, group: 'Workspace' },
    load: () => import('./pages/audit-log.tsx'),
  },
];

/** Pages that belong to no workspace: some are for every signed-in user, some only for operators. */
export const servicePages: readonly Page[] = [
  {
    path: 'workspaces',
    title: 'Workspaces',
    visibleTo: 'member',
    navigation: { icon: IconBuilding, group: 'Service' },
    load: () => import('./pages/workspaces.tsx'),
  },
  {
    path: 'audit-log',
    title: 'All changes',
    visibleTo: 'operator',
    navigation: { icon: IconShieldCheck, group: 'Service' },
    load: () => import('./pages/service-audit-log.tsx'),
  },
  {
    path: 'account',
    title: 'Account',
    visibleTo: 'member',
    load: () => import('./pages/account.tsx'),
  },
];
