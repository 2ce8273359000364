'use client';

import { type ReactNode, useEffect, useRef } from 'react';
import { holdFocusInSheet } from '#features/frames/hold-focus-in-sheet.ts';

/** Below this width, in px, the outline is a sheet; the same as in styles/learning.css. */
const breakpoint = 1024;

/** The id that its button opens it by. */
export const lessonSheetId = 'outline';

type LessonSheetProps = {
  /** The lesson that is read. */
  currentId: string;
  label: string;
  children: ReactNode;
};

/** The outline beside a lesson, on a phone a sheet. It is scrolled to the current lesson. */
export function LessonSheet({ currentId, label, children }: LessonSheetProps) {
  const ref = useRef<HTMLElement>(null);
  useEffect(
    () => holdFocusInSheet(ref.current, window.matchMedia(`(min-width: ${breakpoint}px)`)),
    [],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: another lesson is another place.
  useEffect(() => {
    const sheet = ref.current;
    const showCurrent = () => {
      const current = sheet?.querySelector<HTMLElement>('[aria-current]');
      if (sheet && current) {
        sheet.scrollTop = current.offsetTop - sheet.clientHeight / 2;
      }
    };
    showCurrent();
    sheet?.addEventListener('toggle', showCurrent);
    return () => sheet?.removeEventListener('toggle', showCurrent);
  }, [currentId]);
  return (
    <aside ref={ref} id={lessonSheetId} popover="auto" className="lesson-side" aria-label={label}>
      {children}
    </aside>
  );
}
