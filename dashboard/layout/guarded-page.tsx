import type { ComponentType } from 'react';
import { Notice } from '../components/notice.tsx';
import { PageHeader } from '../components/page-header.tsx';
import type { Page } from '../pages.ts';
import { useCurrentWorkspace } from './current-workspace.ts';
import { useRights } from './rights.ts';

/** A page, or why whoever opened its address does not get to see it. */
export function GuardedPage({ page, component: Shown }: { page: Page; component: ComponentType }) {
  const rights = useRights(useCurrentWorkspace());
  if (rights[page.seenBy]) return <Shown />;
  return (
    <>
      <PageHeader title={page.title} />
      <Notice tone="info">
        {page.seenBy === 'owner'
          ? 'This page is for owners of the workspace: ask one of them.'
          : 'This page is for operators of the service.'}
      </Notice>
    </>
  );
}
