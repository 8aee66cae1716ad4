import { IconHome, type IconProps } from '@tabler/icons-react';
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
];

/** Pages of none: of whoever has signed in, and of operators. */
export const servicePages: readonly Page[] = [];
