import type { LearnerCourse, LearnerLesson } from './schema.ts';

/** A course as its pages show it: to someone who is enrolled, or as a preview to its owner. */
export type Outline = Omit<LearnerCourse, 'cohort' | 'person'> & {
  cohort: { name: string } | null;
  person: { name: string } | null;
};

/** Where the links of these pages lead. */
export type Ways = {
  course: string;
  lesson: (id: string) => string;
  /** Everything on one page; null in a preview. */
  all: string | null;
};

/** A lesson of an outline with its place among all, from 1, and the title of its section. */
export type PlacedLesson = LearnerLesson & { number: number; section: string | null };

/** All lessons of a course in their order. */
export function lessonsOf({ sections }: Pick<Outline, 'sections'>): PlacedLesson[] {
  return sections
    .flatMap(({ title, lessons }) => lessons.map((lesson) => ({ ...lesson, section: title })))
    .map((lesson, at) => ({ ...lesson, number: at + 1 }));
}
