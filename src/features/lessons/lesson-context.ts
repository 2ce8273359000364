'use client';

import { createContext, useContext } from 'react';
import type { DraftSaver } from './draft-saver.ts';

type WrittenLesson = {
  saver: DraftSaver;
  /** Saves what is not saved. Returns whether that worked, and says in a toast why not. */
  saveFirst: () => Promise<boolean>;
  /** As counted with the last save. */
  words: number;
};

/** The lesson that is being written, for what stands around its text. */
export const LessonContext = createContext<WrittenLesson | null>(null);

/** Only within `WriteLesson`. */
export function useWrittenLesson(): WrittenLesson {
  const lesson = useContext(LessonContext);
  if (lesson === null) {
    throw new Error('There is no lesson around this component');
  }
  return lesson;
}
