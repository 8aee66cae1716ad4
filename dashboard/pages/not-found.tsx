import { Anchor } from '@mantine/core';
import { Link } from 'react-router';
import { PageHeader } from '../components/ui/page.tsx';

export default function NotFound() {
  return (
    <PageHeader
      title="There is no such page"
      description={
        <>
          The address may be mistyped, or what was here has gone.{' '}
          <Anchor component={Link} to="/" underline="always">
            Back to the start
          </Anchor>
        </>
      }
    />
  );
}
