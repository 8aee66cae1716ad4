import type { MouseEvent } from 'react';

/**
 * For what must not be done twice: a double click is two clicks, and the second one may come after the first was answered.
 * The keyboard's are not counted by browsers and all act.
 */
export const onFirstClick =
  (act: () => unknown) =>
  (event: MouseEvent): void => {
    if (event.detail <= 1) act();
  };
