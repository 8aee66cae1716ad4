import type { ReactNode } from 'react';
import { PartHead, type PartHeadProps } from './part-head.tsx';

/** A titled part of a page whose content, such as a table, has a frame and a name of its own. */
export const Section = ({
  children,
  ...head
}: PartHeadProps & { readonly children: ReactNode }) => (
  <div>
    <PartHead {...head} />
    {children}
  </div>
);
