import { useEffect, useRef, useState } from 'react';

/**
 * Follows which rows of a list are ticked, each by a `Tick`. They are looked at again with every
 * rendering: they may have been ticked before this script was there, and a page that was loaded
 * again may lack some.
 *
 * @returns the ref of the element that contains them, their values, and how to look again
 */
export function useTicked() {
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
