import { Button, Group } from '@mantine/core';

interface FormActionsProps {
  readonly submitLabel: string;
  readonly isPending: boolean;
  readonly onCancel: () => void;
}

/** The end of a form in a dialog. */
export const FormActions = ({ submitLabel, isPending, onCancel }: FormActionsProps) => (
  <Group justify="flex-end" gap="xs">
    <Button variant="default" onClick={onCancel}>
      Cancel
    </Button>
    <Button type="submit" loading={isPending}>
      {submitLabel}
    </Button>
  </Group>
);
