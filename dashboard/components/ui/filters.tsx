import { ActionIcon, TextInput, Tooltip } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconFilterOff } from '@tabler/icons-react';
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import type { z } from 'zod';
import classes from './filters.module.css';

/** What the address of a page may say, read; what is not given is absent. */
type Filter<S extends z.ZodObject> = z.infer<S>;
type Changes<S extends z.ZodObject> = {
  readonly [K in keyof Filter<S>]?: string | number | undefined;
};

export interface FilterState<S extends z.ZodObject> {
  readonly filter: Filter<S>;
  /** Changes what is named; undefined and the empty text take it out. */
  readonly change: (changes: Changes<S>) => void;
  readonly clear: () => void;
  readonly isEmpty: boolean;
}

/**
 * Which rows a list shows is in its address, under the names of the list's own filter: it can be kept, sent and gone back to.
 * A value that the filter does not allow does not narrow.
 */
export function useFilter<S extends z.ZodObject>(schema: S): FilterState<S> {
  const [params, setParams] = useSearchParams();
  const filter = useMemo(() => readFilter(schema, params), [schema, params]);
  const change = useCallback(
    (changes: Changes<S>) =>
      setParams(
        (current) => {
          const next = new URLSearchParams(current);
          for (const [name, value] of Object.entries(changes))
            if (value === undefined || value === '') next.delete(name);
            else next.set(name, String(value));
          return next;
        },
        { replace: true },
      ),
    [setParams],
  );
  const clear = useCallback(() => setParams({}, { replace: true }), [setParams]);
  return { filter, change, clear, isEmpty: Object.keys(filter).length === 0 };
}

/** In an address everything is text: a field that does not take it as such is a number. */
function readFilter<S extends z.ZodObject>(schema: S, params: URLSearchParams): Filter<S> {
  const given = Object.entries(schema.shape as Record<string, z.ZodType>).flatMap(
    ([name, field]) => {
      const text = params.get(name);
      if (!text) return [];
      const asText = field.safeParse(text);
      const read = asText.success ? asText : field.safeParse(Number(text));
      return read.success ? [[name, read.data] as const] : [];
    },
  );
  return Object.fromEntries(given) as Filter<S>;
}

interface FiltersProps {
  /** What is filtered: `Filter jobs`. */
  readonly label: string;
  readonly isEmpty: boolean;
  readonly onClear: () => void;
  readonly children: ReactNode;
}

/** What narrows a list, and the way back to all of it. */
export const Filters = ({ label, isEmpty, onClear, children }: FiltersProps) => (
  <search className={classes.filters} aria-label={label}>
    {children}
    <Tooltip label="Show all">
      <ActionIcon
        className={classes.clear ?? ''}
        variant="subtle"
        color="gray"
        size={36}
        aria-label="Show all"
        disabled={isEmpty}
        onClick={onClear}
      >
        <IconFilterOff size={18} />
      </ActionIcon>
    </Tooltip>
  </search>
);

/** Longer than between two keys. */
const typingMs = 300;

interface BusinessKeyInputProps {
  readonly value: string | undefined;
  readonly onChange: (value: string) => void;
}

/** Applies once the typing pauses; follows the address where that changes by itself. */
export function BusinessKeyInput({ value = '', onChange }: BusinessKeyInputProps) {
  const [text, setText] = useState(value);
  const apply = useDebouncedCallback(onChange, typingMs);
  useEffect(() => setText(value), [value]);
  return (
    <TextInput
      label="Business key"
      placeholder="The whole key"
      value={text}
      maxLength={255}
      onChange={({ currentTarget }) => {
        setText(currentTarget.value);
        apply(currentTarget.value);
      }}
    />
  );
}

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
