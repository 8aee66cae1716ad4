import { Anchor } from '@mantine/core';
import { Link } from 'react-router';
import { PageHeader } from '../components/ui/page.tsx';

export default function NotFound() {
  return (
    <PageHeader
      title="There is no such page"
      description={
        <>
          The address may be mistyped, or the page no longer exists.{' '}
          <Anchor component={Link} to="/" underline="always">
            Back to the start
          </Anchor>
        </>
      }
    />
  );
}
