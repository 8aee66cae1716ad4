import { PageHeader } from '../components/page-header.tsx';
import { useWorkspace } from '../layout/workspace.tsx';

export default function Overview() {
  const { name } = useWorkspace();
  return <PageHeader title={name} />;
}
