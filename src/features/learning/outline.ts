import type { SectionAccess } from '#features/lessons/section-access.ts';
import type { LearnerCourse, LearnerLesson } from './schema.ts';

/** A course as its pages show it: to someone who is enrolled, or as a preview to its owner. */
export type Outline = Omit<LearnerCourse, 'cohort' | 'person'> & {
  cohort: { name: string } | null;
  person: LearnerCourse['person'] | null;
};

/** Where the links of these pages lead. */
export type Ways = {
  course: string;
  lesson: (id: string) => string;
  /** Everything on one page, the search, and the certificate; null in a preview. */
  all: string | null;
  search: string | null;
  certificate: string | null;
};

type Section = LearnerCourse['sections'][number];

/** When a section opens that is not open yet. */
export type Opening = { at: string; local: string | null };

/**
 * A lesson of an outline with its place among all, from 1, the title of its section, and when that
 * opens; null if it is open.
 */
export type PlacedLesson = LearnerLesson & {
  number: number;
  section: string | null;
  opening: Opening | null;
};

/** All lessons of a course in their order. */
export function lessonsOf({ sections }: { sections: Section[] }): PlacedLesson[] {
  return sections
    .flatMap(({ lessons, ...section }) =>
      lessons.map((lesson) => ({
        ...lesson,
        section: section.title,
        opening: openingOf(section),
      })),
    )
    .map((lesson, at) => ({ ...lesson, number: at + 1 }));
}

/** Those that can be read. */
export function openLessonsOf(sections: Section[]): LearnerLesson[] {
  return sections.flatMap(({ opens_at: opensAt, lessons }) => (opensAt === null ? lessons : []));
}

/** When a section opens; null if it is open. */
export function openingOf({
  opens_at: at,
  opens_local: local,
}: Pick<Section, 'opens_at' | 'opens_local'>): Opening | null {
  return at === null ? null : { at, local };
}

/** A section of an outline, without its lessons yet; null if it is hidden. */
export function toSection(
  section: Pick<Section, 'id' | 'title'>,
  access: SectionAccess,
): Section | null {
  if (access.state === 'hidden') {
    return null;
  }
  const isOpen = access.state === 'open';
  return {
    ...section,
    opens_at: isOpen ? null : access.opensAt.toISOString(),
    opens_local: isOpen ? null : access.opensLocal,
    lessons: [],
  };
}
