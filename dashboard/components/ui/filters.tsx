import { ActionIcon, TextInput, Tooltip } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconFilterOff } from '@tabler/icons-react';
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import type { z } from 'zod';
import { minuteMs } from '../../../contracts/units.ts';
import classes from './filters.module.css';

/** The filter in the query string of the address. Fields that are not set are absent. */
type Filter<S extends z.ZodObject> = z.infer<S>;
type Changes<S extends z.ZodObject> = {
  readonly [K in keyof Filter<S>]?: string | number | undefined;
};

export interface FilterState<S extends z.ZodObject> {
  readonly filter: Filter<S>;
  /** Sets these fields and keeps the others. Undefined and the empty string remove a field. */
  readonly change: (changes: Changes<S>) => void;
  readonly clear: () => void;
  /** True if no field of the filter is set. */
  readonly isUnfiltered: boolean;
}

/**
 * Keeps the filter of a list in the query of the address, so that a reload, a shared link and the back button keep it.
 * Values that `schema` does not allow are ignored.
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
  return { filter, change, clear, isUnfiltered: Object.keys(filter).length === 0 };
}

/** Values in an address are text. If a field does not accept the text, it is read as a number. */
function readFilter<S extends z.ZodObject>(schema: S, params: URLSearchParams): Filter<S> {
  const fields = Object.entries(schema.shape as Record<string, z.ZodType>).flatMap(
    ([name, field]) => {
      const text = params.get(name);
      if (!text) return [];
      const asText = field.safeParse(text);
      const value = asText.success ? asText : field.safeParse(Number(text));
      return value.success ? [[name, value.data] as const] : [];
    },
  );
  return Object.fromEntries(fields) as Filter<S>;
}

interface FiltersProps {
  /** Names the filters for screen readers: `Filter jobs`. */
  readonly label: string;
  readonly isUnfiltered: boolean;
  readonly onClear: () => void;
  readonly children: ReactNode;
}

/** The filter fields of a list, and a button that clears them. */
export const Filters = ({ label, isUnfiltered, onClear, children }: FiltersProps) => (
  <search className={classes.filters} aria-label={label}>
    {children}
    <Tooltip label="Show all">
      <ActionIcon
        className={classes.clear ?? ''}
        variant="subtle"
        color="gray"
        size={36}
        aria-label="Show all"
        disabled={isUnfiltered}
        onClick={onClear}
      >
        <IconFilterOff size={18} />
      </ActionIcon>
    </Tooltip>
  </search>
);

/** The filter changes this long after a key press without another one. Longer than the usual time between two key presses. */
const typingPauseMs = 300;

interface BusinessKeyInputProps {
  readonly value: string | undefined;
  readonly onChange: (value: string) => void;
}

/** Calls `onChange` when the user pauses typing. Follows `value` when the address changes, as by the back button. */
export function BusinessKeyInput({ value = '', onChange }: BusinessKeyInputProps) {
  const [text, setText] = useState(value);
  const apply = useDebouncedCallback(onChange, typingPauseMs);
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
 * A date and time in the time zone of the browser, by the browser's own picker. While the user types a year, the input holds years
 * such as 0002. Times before 1970 are therefore not applied. An incomplete or empty input is applied as "no time" when the input
 * loses the focus.
 */
export function TimeInput({ label, at, onChange }: TimeInputProps) {
  const applied = at === undefined ? '' : toLocalText(at);
  const [text, setText] = useState(applied);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // Must not overwrite what the user is typing.
    if (document.activeElement !== input.current) setText(applied);
  }, [applied]);
  const applyOnBlur = () => {
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
      onBlur={applyOnBlur}
    />
  );
}

/** Unix ms. Undefined if the text is not a time since 1970. */
function toTime(text: string): number | undefined {
  const time = new Date(text).getTime();
  return time >= 0 ? time : undefined;
}

/** The format of the input, without a time zone: `2026-11-21T03:52`. */
function toLocalText(at: number): string {
  const offsetMs = new Date(at).getTimezoneOffset() * minuteMs;
  return new Date(at - offsetMs).toISOString().slice(0, 'yyyy-mm-ddThh:mm'.length);
}
