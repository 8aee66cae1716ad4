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
 * Every page of the dashboard, one row and one file each. The order of the rows is that of the navigation.
 */
export interface Page {
  /** Below `/dashboard`; react-router's pattern. */
  readonly path: string;
  readonly title: string;
  /**
   * Who gets to see it: `member` is everybody in the workspace, `owner` its owners and operators, `operator` operators; they
   * alone decide what is shown, the admin router what is allowed.
   */
  readonly seenBy: 'member' | 'owner' | 'operator';
  /** Where the navigation has it; a page without is reached from another one. */
  readonly navigation?: {
    readonly icon: ComponentType<IconProps>;
    readonly group: NavigationGroup;
  };
  readonly load: () => Promise<{ default: ComponentType }>;
}

export const navigationGroups = ['Documents', 'Workspace', 'Service'] as const;
export type NavigationGroup = (typeof navigationGroups)[number];

/** Pages of one workspace: they find it by `useWorkspace()`. */
export const workspacePages: readonly Page[] = [
  {
    path: ':workspaceId',
    title: 'Overview',
    seenBy: 'member',
    navigation: { icon: IconHome, group: 'Documents' },
    load: () => import('./pages/overview.tsx'),
  },
  {
    path: ':workspaceId/jobs',
    title: 'Jobs',
    seenBy: 'member',
    navigation: { icon: IconPrinter, group: 'Documents' },
    load: () => import('./pages/jobs.tsx'),
  },
  {
    path: ':workspaceId/jobs/:jobId',
    title: 'Job',
    seenBy: 'member',
    load: () => import('./pages/job.tsx'),
  },
  {
    path: ':workspaceId/documents',
    title: 'Documents',
    seenBy: 'member',
    navigation: { icon: IconFileCode, group: 'Documents' },
    load: () => import('./pages/documents.tsx'),
  },
  {
    path: ':workspaceId/documents/:deployId',
    title: 'Document',
    seenBy: 'member',
    load: () => import('./pages/document.tsx'),
  },
  {
    path: ':workspaceId/documents/:deployId/versions/:versionId',
    title: 'Version',
    seenBy: 'member',
    load: () => import('./pages/version.tsx'),
  },
  {
    path: ':workspaceId/pdfs',
    title: 'PDFs',
    seenBy: 'member',
    navigation: { icon: IconFileTypePdf, group: 'Documents' },
    load: () => import('./pages/pdfs.tsx'),
  },
  {
    path: ':workspaceId/pdfs/:pdfId',
    title: 'PDF',
    seenBy: 'member',
    load: () => import('./pages/pdf.tsx'),
  },
  {
    path: ':workspaceId/queue',
    title: 'Queue',
    seenBy: 'member',
    navigation: { icon: IconStack2, group: 'Documents' },
    load: () => import('./pages/queue.tsx'),
  },
  {
    path: ':workspaceId/usage',
    title: 'Usage',
    seenBy: 'member',
    navigation: { icon: IconChartBar, group: 'Workspace' },
    load: () => import('./pages/usage.tsx'),
  },
  {
    path: ':workspaceId/keys',
    title: 'API keys',
    seenBy: 'member',
    navigation: { icon: IconKey, group: 'Workspace' },
    load: () => import('./pages/api-keys.tsx'),
  },
  {
    path: ':workspaceId/webhooks',
    title: 'Webhooks',
    seenBy: 'member',
    navigation: { icon: IconWebhook, group: 'Workspace' },
    load: () => import('./pages/webhooks.tsx'),
  },
  {
    path: ':workspaceId/webhooks/:deliveryId',
    title: 'Webhook delivery',
    seenBy: 'member',
    load: () => import('./pages/webhook-delivery.tsx'),
  },
  {
    path: ':workspaceId/members',
    title: 'Members',
    seenBy: 'member',
    navigation: { icon: IconUsers, group: 'Workspace' },
    load: () => import('./pages/members.tsx'),
  },
  {
    path: ':workspaceId/plan',
    title: 'Plan',
    seenBy: 'owner',
    navigation: { icon: IconCreditCard, group: 'Workspace' },
    load: () => import('./pages/plan.tsx'),
  },
  {
    path: ':workspaceId/audit-log',
    title: 'Audit log',
    seenBy: 'owner',
    navigation: { icon: IconHistory, group: 'Workspace' },
    load: () => import('./pages/audit-log.tsx'),
  },
];

/** Pages of none: of whoever has signed in, and of operators. */
export const servicePages: readonly Page[] = [
  {
    path: 'workspaces',
    title: 'Workspaces',
    seenBy: 'member',
    navigation: { icon: IconBuilding, group: 'Service' },
    load: () => import('./pages/workspaces.tsx'),
  },
  {
    path: 'audit-log',
    title: 'All changes',
    seenBy: 'operator',
    navigation: { icon: IconShieldCheck, group: 'Service' },
    load: () => import('./pages/service-audit-log.tsx'),
  },
  {
    path: 'account',
    title: 'Account',
    seenBy: 'member',
    load: () => import('./pages/account.tsx'),
  },
];
