import { type RefObject, useEffect, useRef, useState } from 'react';

type Ticked = {
  /** The element that contains the rows. */
  ref: RefObject<HTMLDivElement | null>;
  /** The values of the rows that are ticked. */
  ticked: readonly string[];
  /** Looks again, after a change. */
  look: () => void;
};

/**
 * Follows which rows of a list are ticked, each by a `Tick`. They are looked at again with every
 * rendering: they may have been ticked before this script was there, and a page that was loaded
 * again may lack some.
 */
export function useTicked(): Ticked {
  const ref = useRef<HTMLDivElement>(null);
  const [ticked, setTicked] = useState<readonly string[]>([]);
  function look(): void {
    const boxes = ref.current?.querySelectorAll<HTMLInputElement>('.tick :checked') ?? [];
    const values = [...boxes].map(({ value }) => value);
    setTicked((before) => (before.join() === values.join() ? before : values));
  }
  useEffect(look);
  return { ref, ticked, look };
}
