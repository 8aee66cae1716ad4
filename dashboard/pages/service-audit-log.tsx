import { useInfiniteQuery } from '@tanstack/react-query';
import { admin } from '../admin.ts';
import { AuditEntries } from '../components/audit/audit-entries.tsx';
import { byCursor, rowsOfPages } from '../components/ui/data-table.tsx';
import { PageHeader } from '../components/ui/page.tsx';

export default function ServiceAuditLog() {
  const entries = useInfiniteQuery(
    admin.auditLog.listAll.infiniteQueryOptions({ limit: 50 }, byCursor),
  );
  return (
    <>
      <PageHeader title="All changes" description="Who changed what, in all workspaces." />
      <AuditEntries {...rowsOfPages(entries)} showsWorkspace />
    </>
  );
}
