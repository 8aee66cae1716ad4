import type { ComponentType } from 'react';
import { Notice } from '../components/notice.tsx';
import { PageHeader } from '../components/page-header.tsx';
import type { Page } from '../pages.ts';
import { useAccount } from './account.tsx';
import { useMayManage } from './workspace.tsx';

/** A page, or why whoever opened its address does not get to see it. */
export function GuardedPage({ page, component: Shown }: { page: Page; component: ComponentType }) {
  const { operator } = useAccount();
  const allowed = { member: true, owner: useMayManage(), operator };
  if (allowed[page.seenBy]) return <Shown />;
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
