import { TextInput } from '@mantine/core';

interface TimeInputProps {
  readonly label: string;
  /** Unix ms. */
  readonly at: number | undefined;
  readonly onChange: (at: number | undefined) => void;
}

/** A day and a time in the browser's time zone, by the browser's own picker. */
export const TimeInput = ({ label, at, onChange }: TimeInputProps) => (
  <TextInput
    type="datetime-local"
    label={label}
    value={at === undefined ? '' : toLocalText(at)}
    onChange={({ currentTarget: { value } }) =>
      onChange(value === '' ? undefined : new Date(value).getTime())
    }
  />
);

const minuteMs = 60_000;

/** As the input wants it: `2026-11-21T03:52`, without a time zone. */
function toLocalText(at: number): string {
  const offsetMs = new Date(at).getTimezoneOffset() * minuteMs;
  return new Date(at - offsetMs).toISOString().slice(0, 'yyyy-mm-ddThh:mm'.length);
}
