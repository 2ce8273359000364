import { useEffect, useRef, useState } from 'react';

/**
 * Follows which rows of a list are ticked, each by a `Tick`. They are looked at again with every
 * rendering: they may have been ticked before this script was there, and a page that was loaded
 * again may lack some.
 *
 * @returns the ref of the element that contains them, their values, how to look again, and how to
 *   tick none
 */
export function useTicked() {
  const ref = useRef<HTMLDivElement>(null);
  const [ticked, setTicked] = useState<readonly string[]>([]);
  const boxes = () => [
    ...(ref.current?.querySelectorAll<HTMLInputElement>('.tick :checked') ?? []),
  ];
  function look(): void {
    const values = boxes().map(({ value }) => value);
    setTicked((before) => (before.join() === values.join() ? before : values));
  }
  function clear(): void {
    for (const box of boxes()) {
      box.checked = false;
    }
    look();
  }
  useEffect(look);
  return { ref, ticked, look, clear };
}
