import { Button, Center, Stack, Text, Title } from '@mantine/core';

/** A page that could not be loaded, most often because a newer release has replaced its files, or that broke. */
export const BrokenPage = () => (
  <Stack maw={420} gap="sm">
    <Title>This page did not load</Title>
    <Text c="dimmed">
      The service may just have been updated, or the connection is gone. Loading the page again
      mends both.
    </Text>
    <Button w="fit-content" onClick={() => window.location.reload()}>
      Load again
    </Button>
  </Stack>
);

/** The same where nothing stands around it. */
export const BrokenApp = () => (
  <Center component="main" mih="100vh" p="lg">
    <BrokenPage />
  </Center>
);
