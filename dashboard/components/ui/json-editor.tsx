import { Skeleton, Textarea } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { assertPayload, canonicalJson } from '../../../contracts/json.ts';
import { maxPayloadBytes } from '../../../contracts/limits.ts';
import { formatBytes } from '../../formats.ts';
import type { JsonEditorProps } from './code-mirror.tsx';

/** By itself as large as a page: it comes when it is needed. Where its file does not load, there is the browser's own. */
const CodeMirror = lazy(() => import('./code-mirror.tsx').catch(() => ({ default: PlainEditor })));

/** Text in JSON, to write or to read. */
export const JsonEditor = (props: JsonEditorProps) => (
  <Suspense fallback={<Skeleton h={props.minHeight ?? defaultMinHeight} />}>
    <CodeMirror minHeight={defaultMinHeight} {...props} />
  </Suspense>
);

const defaultMinHeight = '160px';

const PlainEditor = ({
  label,
  value,
  onChange,
  readOnly = false,
  minHeight = '',
}: JsonEditorProps) => (
  <Textarea
    aria-label={label}
    value={value}
    onChange={({ currentTarget }) => onChange?.(currentTarget.value)}
    readOnly={readOnly}
    spellCheck={false}
    styles={{ input: { minHeight, fontFamily: 'var(--mantine-font-family-monospace)' } }}
  />
);

export type ReadJson =
  | { readonly valid: true; readonly value: unknown; readonly bytes: number }
  | { readonly valid: false; readonly message: string };

/** Reads text as the API reads a payload: what is refused here would be refused there, for the same reason. */
export function readPayload(text: string): ReadJson {
  try {
    const value: unknown = JSON.parse(text);
    assertPayload(value);
    const bytes = new TextEncoder().encode(canonicalJson(value)).length;
    return bytes > maxPayloadBytes
      ? { valid: false, message: `More than ${formatBytes(maxPayloadBytes)}: send less.` }
      : { valid: true, value, bytes };
  } catch (error) {
    return { valid: false, message: error instanceof Error ? error.message : String(error) };
  }
}

/** Browsers keep what hashes from pages that came over plain http, but for this machine's own. */
export const canHash: boolean = globalThis.crypto.subtle !== undefined;

/** How a job names its payload: SHA-256 of the canonical JSON (REST 2.6). Only where `canHash`. */
export async function hashPayload(value: unknown): Promise<string> {
  const bytes = new TextEncoder().encode(canonicalJson(value));
  const hash = await crypto.subtle.digest('SHA-256', bytes);
  return Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
