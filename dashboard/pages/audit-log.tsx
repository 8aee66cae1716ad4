import { useInfiniteQuery } from '@tanstack/react-query';
import { admin } from '../admin.ts';
import { AuditEntries } from '../components/audit/audit-entries.tsx';
import { byCursor, rowsOfPages } from '../components/ui/data-table.tsx';
import { PageHeader } from '../components/ui/page.tsx';
import { useWorkspace } from '../session.tsx';

export default function AuditLog() {
  const { id: workspaceId } = useWorkspace();
  const entries = useInfiniteQuery(
    admin.auditLog.list.infiniteQueryOptions({ workspaceId, limit: 50 }, byCursor),
  );
  return (
    <>
      <PageHeader title="Audit log" description="Who changed what in this workspace." />
      <AuditEntries {...rowsOfPages(entries)} />
    </>
  );
}
