import { Skeleton, Textarea } from '@mantine/core';
import { lazy, Suspense } from 'react';
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
