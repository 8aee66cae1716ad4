import { Skeleton, Textarea } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { assertPayload, canonicalJson } from '../../../contracts/json.ts';
import { maxPayloadBytes } from '../../../contracts/limits.ts';
import { formatBytes } from '../../formats.ts';
import type { JsonEditorProps } from './code-mirror.tsx';

/** Loaded on demand, because it is as large as the rest of a page. A plain text area replaces it if it does not load. */
const CodeMirror = lazy(() => import('./code-mirror.tsx').catch(() => ({ default: PlainEditor })));

/** An editor or viewer for JSON. */
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

/** `bytes` is the size of the canonical JSON. */
export type PayloadResult =
  | { readonly valid: true; readonly value: unknown; readonly bytes: number }
  | { readonly valid: false; readonly message: string };

/** Parses a payload with the checks of the API, so that it refuses what the API would refuse. */
export function parsePayload(text: string): PayloadResult {
  try {
    const value: unknown = JSON.parse(text);
    assertPayload(value);
    const bytes = new TextEncoder().encode(canonicalJson(value)).length;
    return bytes > maxPayloadBytes
      ? { valid: false, message: `The payload is larger than ${formatBytes(maxPayloadBytes)}.` }
      : { valid: true, value, bytes };
  } catch (error) {
    return { valid: false, message: error instanceof Error ? error.message : String(error) };
  }
}

/** Browsers provide `crypto.subtle` only to pages served over https or from localhost. */
export const canHash: boolean = globalThis.crypto.subtle !== undefined;

/** The hash that a job keeps of its payload: SHA-256 of the canonical JSON, in hex (REST 2.6). Requires `canHash`. */
export async function hashPayload(value: unknown): Promise<string> {
  const bytes = new TextEncoder().encode(canonicalJson(value));
  const hash = await crypto.subtle.digest('SHA-256', bytes);
  return Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
