import { Skeleton } from '@mantine/core';
import { lazy, Suspense } from 'react';
import type { JsonEditorProps } from './code-mirror.tsx';

/** By itself as large as a page: it comes when it is needed. */
const CodeMirror = lazy(() => import('./code-mirror.tsx'));

/** Text in JSON, to write or to read. */
export const JsonEditor = (props: JsonEditorProps) => (
  <Suspense fallback={<Skeleton h={props.minHeight ?? defaultMinHeight} />}>
    <CodeMirror minHeight={defaultMinHeight} {...props} />
  </Suspense>
);

const defaultMinHeight = '160px';
