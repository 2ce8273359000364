import { readingMinutes } from '#features/lessons/reading-minutes.ts';
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
  /** The same for what links in lessons call it. */
  linked: (key: string) => string;
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

/** A lesson that learners see, with the title of its section. */
type ShownRow = { id: string; sectionId: string; section: string | null; title: string } & {
  minutes: number | null;
  words: number;
};

/**
 * The sections of an outline, without those that are hidden.
 *
 * @param rows in their order
 * @param doneAt when which lesson was done
 */
export async function toSections<Row extends ShownRow>(
  rows: Row[],
  accessOf: (row: Row) => Promise<SectionAccess>,
  doneAt: ReadonlyMap<string, number> = new Map(),
): Promise<Section[]> {
  const sections = await Promise.all(
    [...Map.groupBy(rows, ({ sectionId }) => sectionId).values()].map(async (all) => {
      const [row] = all;
      const access = row && (await accessOf(row));
      const isLater = access?.state === 'later';
      return row === undefined || access?.state === 'hidden'
        ? []
        : {
            id: row.sectionId,
            title: row.section,
            opens_at: isLater ? access.opensAt.toISOString() : null,
            opens_local: isLater ? access.opensLocal : null,
            lessons: all.map((lesson) => toLesson(lesson, doneAt.get(lesson.id))),
          };
    }),
  );
  return sections.flat();
}

function toLesson({ id, title, minutes, words }: ShownRow, doneAt?: number): LearnerLesson {
  return {
    id,
    title,
    minutes: readingMinutes({ minutes, words }),
    is_done: doneAt !== undefined,
    done_at: doneAt === undefined ? null : new Date(doneAt).toISOString(),
  };
}
