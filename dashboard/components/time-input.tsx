import { TextInput } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';

interface TimeInputProps {
  readonly label: string;
  /** Unix ms. */
  readonly at: number | undefined;
  readonly onChange: (at: number | undefined) => void;
}

/**
 * A day and a time in the browser's time zone, by the browser's own picker. While a year is typed it is one of antiquity: such
 * a time does not apply. What is not whole, and what was emptied, applies on leaving.
 */
export function TimeInput({ label, at, onChange }: TimeInputProps) {
  const applied = at === undefined ? '' : toLocalText(at);
  const [text, setText] = useState(applied);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // What is being typed is ahead of what is applied, and must not be taken back to it.
    if (document.activeElement !== input.current) setText(applied);
  }, [applied]);
  const leave = () => {
    if (text === applied) return;
    if (toTime(text) === undefined) setText('');
    onChange(toTime(text));
  };
  return (
    <TextInput
      ref={input}
      type="datetime-local"
      label={label}
      value={text}
      onChange={({ currentTarget: { value } }) => {
        setText(value);
        const time = toTime(value);
        if (time !== undefined) onChange(time);
      }}
      onBlur={leave}
    />
  );
}

/** Unix ms; undefined where no time since 1970 is written. */
function toTime(text: string): number | undefined {
  const time = new Date(text).getTime();
  return time >= 0 ? time : undefined;
}

const minuteMs = 60_000;

/** As the input wants it: `2026-11-21T03:52`, without a time zone. */
function toLocalText(at: number): string {
  const offsetMs = new Date(at).getTimezoneOffset() * minuteMs;
  return new Date(at - offsetMs).toISOString().slice(0, 'yyyy-mm-ddThh:mm'.length);
}
