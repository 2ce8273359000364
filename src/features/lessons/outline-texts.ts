import type { I18n } from '@lingui/core';
import { msg, plural, selectOrdinal } from '@lingui/core/macro';
import type { AnswerFrom } from '#db/query.ts';
import { calendar } from '#features/cohorts/cohort-fields.tsx';
import { isolated } from '#lib/text.ts';
import { addDays } from '#lib/time/calendar.ts';
import { shortDay, weekdayAndDay } from '#lib/time/words.ts';
import { pick } from '#lib/to-json.ts';
import type { Drop } from './find-drop.ts';
import type { OpeningRow } from './find-openings.ts';
import type { findOutline, LessonCount } from './find-outline.ts';
import type { OpeningCohort, ShownSection } from './outline.tsx';
import type { OutlineSection } from './schema.ts';

/** The words for the state of a lesson. */
export function stateTexts(i18n: I18n) {
  return {
    published: i18n._(msg({ message: 'Published', context: 'lesson' })),
    draft: i18n._(msg({ message: 'Draft', context: 'lesson' })),
    changed: i18n._(msg`Unpublished changes`),
  };
}

/** What the outline and its dialogs say. What is in braces is filled in by the browser. */
export function outlineTexts(i18n: I18n, isEvergreen: boolean) {
  const { title, section, place, count } = {
    title: '{title}',
    section: '{section}',
    place: '{place}',
    count: '{count}',
  };
  const save = saveTexts(i18n);
  const { cancel } = save;
  const close = i18n._(msg`Close`);
  return {
    states: stateTexts(i18n),
    filter: i18n._(msg`Find a lesson`),
    nothingFound: i18n._(msg`No lesson has this in its title.`),
    untitled: i18n._(msg`Untitled section`),
    more: i18n._(msg`More actions, ${title}`),
    waiting: i18n._(msg`One moment…`),
    close,
    rename: i18n._(msg`Rename`),
    up: i18n._(msg`Move up`),
    down: i18n._(msg`Move down`),
    isNow: i18n._(msg`${title} is now ${place} of ${count}.`),
    isNowIn: i18n._(msg`${title} is now ${place} of ${count} in ${section}.`),
    sectionIsNow: i18n._(msg`${title} is now section ${place} of ${count}.`),
    movedElsewhere: i18n._(msg`Not moved. Something was removed in another tab.`),
    newLesson: {
      title: i18n._(msg`New lesson`),
      field: i18n._(msg`Title of the lesson`),
      submit: i18n._(msg`Create and write`),
      submitting: i18n._(msg`Creating…`),
      another: i18n._(msg`Create and add another`),
      done: i18n._(msg`Lesson created.`),
      close,
    },
    newSection: {
      title: i18n._(msg`New section`),
      field: i18n._(msg`Title of the section`),
      submit: i18n._(msg`Create section`),
      submitting: i18n._(msg`Creating…`),
      cancel,
      done: i18n._(msg`Section created.`),
    },
    renameLesson: {
      ...save,
      title: i18n._(msg`Rename the lesson`),
      done: i18n._(msg`Lesson renamed.`),
    },
    renameSection: {
      ...save,
      title: i18n._(msg`Rename the section`),
      done: i18n._(msg`Section renamed.`),
    },
    minutes: minutesTexts(i18n),
    moveTo: {
      item: i18n._(msg`Move to section…`),
      title: i18n._(msg`Move to which section?`),
    },
    duplicate: { label: i18n._(msg`Duplicate`), done: i18n._(msg`Lesson duplicated.`) },
    publish: {
      label: i18n._(msg`Publish`),
      changes: i18n._(msg`Publish changes`),
      pending: i18n._(msg`Publishing…`),
      done: i18n._(msg`Lesson published.`),
    },
    unpublish: unpublishTexts(i18n),
    trash: {
      label: i18n._(msg`Move to the trash`),
      done: i18n._(msg({ message: 'Moved to the trash.', context: 'lesson' })),
      undo: i18n._(msg`Undo`),
      restored: i18n._(msg`Lesson restored.`),
    },
    rule: {
      ...save,
      ...(isEvergreen
        ? {
            onceHint: i18n._(msg`As soon as someone enrolls.`),
            daysHint: i18n._(msg`Counted for each person from when they enroll.`),
            fieldHint: i18n._(msg`7 means: 7 days after someone enrolls.`),
          }
        : {
            onceHint: i18n._(msg`As soon as someone enrolls, also before the first day.`),
            daysHint: i18n._(msg`Counted from the first day of each cohort.`),
            fieldHint: i18n._(
              msg`7 means: 7 days after the first day, in the cohort’s time zone. 0 is the first day.`,
            ),
          }),
      item: i18n._(msg`When it opens…`),
      title: i18n._(msg`When does this section open?`),
      legend: i18n._(msg`It opens`),
      once: i18n._(msg`At once`),
      days: i18n._(msg`After some days`),
      field: i18n._(msg`Days`),
      follows: isEvergreen
        ? i18n._(msg`No one is emailed about what is already open.`)
        : i18n._(
            msg`Cohorts that open it at a time of their own keep it. No one is emailed about what is already open.`,
          ),
      done: i18n._(msg`Saved when the section opens.`),
    },
    deleteSection: {
      label: i18n._(msg`Delete section`),
      done: i18n._(msg`Section deleted.`),
    },
  };
}

/** What the dialog says in which a section opens otherwise in one cohort. */
export function openingTexts(i18n: I18n) {
  const cohort = '{cohort}';
  return {
    ...saveTexts(i18n),
    item: i18n._(msg`When it opens in ${cohort}…`),
    title: i18n._(msg`When does it open in ${cohort}?`),
    legend: i18n._(msg`It opens`),
    rule: i18n._(msg`As the course says`),
    date: i18n._(msg`On a date`),
    dateHint: i18n._(msg`In the cohort’s time zone. Moving the cohort moves this date, too.`),
    day: i18n._(msg`Day`),
    time: i18n._(msg`Time`),
    timeHint: i18n._(msg`Leave it empty to open it when the day begins.`),
    meeting: i18n._(msg`With a live session`),
    meetingHint: i18n._(
      msg`It moves with the session. If that is canceled, it opens as the course says.`,
    ),
    session: i18n._(msg`Live session`),
    edge: i18n._(msg`When`),
    start: i18n._(msg`When it starts`),
    end: i18n._(msg`When it ends`),
    hidden: i18n._(msg`Hidden`),
    hiddenHint: i18n._(msg`No one in this cohort sees it.`),
    follows: i18n._(msg`No one is emailed about what is already open.`),
    done: i18n._(msg`Saved when the section opens.`),
  };
}

/** What the dialog says in which the reading time of a lesson is changed. */
export function minutesTexts(i18n: I18n) {
  return {
    ...saveTexts(i18n),
    title: i18n._(msg`Reading time`),
    field: i18n._(msg`Minutes`),
    hint: i18n._(msg`Leave it empty, and we’ll estimate it from the length of the text.`),
    done: i18n._(msg`Reading time saved.`),
  };
}

/** The question before a lesson is unpublished that people have opened, also on its own page. */
export function unpublishTexts(i18n: I18n) {
  return {
    ...saveTexts(i18n),
    title: i18n._(msg`Unpublish this lesson?`),
    text: i18n._(
      msg`People have opened it, and won’t find it anymore. What they have done is kept, and counts again when you publish it.`,
    ),
    submit: i18n._(msg({ message: 'Unpublish', context: 'lesson' })),
    submitting: i18n._(msg({ message: 'Unpublishing…', context: 'lesson' })),
    done: i18n._(msg`No longer published. What people have done is kept.`),
  };
}

function saveTexts(i18n: I18n) {
  return {
    submit: i18n._(msg`Save`),
    submitting: i18n._(msg`Saving…`),
    cancel: i18n._(msg`Cancel`),
  };
}

type Outline = AnswerFrom<typeof findOutline>;

type Progress = Pick<NonNullable<Outline['progress']>, 'people' | 'gone' | 'counts' | 'openings'>;

type Shown = Pick<Outline, 'opened'> & {
  isEvergreen: boolean;
  progress: Progress | null;
  now: Date;
};

/**
 * The sections with what the outline says of them and of their lessons.
 *
 * @param progress of a cohort or an open run; null without one
 */
export function shownSections(
  i18n: I18n,
  sections: OutlineSection[],
  { isEvergreen, progress, opened, now }: Shown,
): ShownSection[] {
  const openings = progress?.openings;
  // In a cohort course, everything opens at once until someone chooses otherwise.
  const hasRules =
    isEvergreen ||
    sections.some(({ id, release_days: days }) => days !== null || openings?.get(id)?.mode);
  const people = progress === null ? 0 : progress.people + progress.gone;
  return sections.map(({ id, title, release_days: releaseDays, lessons }) => {
    const opening = openings?.get(id);
    const rule = ruleWords(i18n, releaseDays, isEvergreen);
    return {
      id,
      title,
      releaseDays,
      opens: hasRules ? openingWords(i18n, opening, rule, now) : null,
      opening: opening
        ? {
            rule: opening.releaseDays === null ? rule : withDay(rule, opening, i18n.locale),
            mode: opening.mode,
            opensLocal: opening.opensLocal,
            meetingId: opening.meetingStartsAt === null ? null : opening.meetingId,
            edge: opening.meetingEdge,
          }
        : null,
      lessons: lessons.map((lesson) => ({
        ...pick(lesson, ['id', 'title', 'state']),
        version: lesson.draft_version,
        isOpened: opened.has(lesson.id),
        typedMinutes: lesson.minutes,
        minutes: i18n._(msg`${lesson.reading_minutes} min`),
        progress:
          progress === null || people === 0 || lesson.state === 'draft'
            ? null
            : shownProgress(i18n, people, progress.counts.get(lesson.id)),
      })),
    };
  });
}

/** A cohort in which sections can open otherwise, with its live sessions; null for an open run. */
export function openingCohort(
  i18n: I18n,
  { cohort, meetings }: Pick<NonNullable<Outline['progress']>, 'cohort' | 'meetings'>,
): OpeningCohort | null {
  const { id, name, kind } = cohort;
  return kind === 'open'
    ? null
    : {
        id,
        name,
        days: calendar,
        texts: openingTexts(i18n),
        meetings: meetings.map((one) => ({
          id: one.id,
          words: `${isolated(one.title)} · ${weekdayAndDay(one.startsLocal, i18n.locale)}`,
        })),
      };
}

/** When a section opens by its own rule. Its days begin with the enrollment in an evergreen course. */
function ruleWords(i18n: I18n, days: number | null, isEvergreen: boolean): string {
  if (days === null || (days === 0 && isEvergreen)) {
    return i18n._(msg`Opens at once`);
  }
  return days === 0
    ? i18n._(msg`Opens on the first day`)
    : i18n._(msg`${selectOrdinal(days, { one: 'Opens on day #', other: 'Opens on day #' })}`);
}

/** When a section opens: in a cohort, if there is one, or else for everyone. */
function openingWords(i18n: I18n, row: OpeningRow | undefined, rule: string, now: Date): string {
  const meeting = isolated(row?.meetingTitle ?? '');
  if (row?.mode === 'hidden') {
    return i18n._(msg`Hidden in this cohort`);
  }
  if (row?.mode === 'meeting' && row.meetingStartsAt !== null) {
    return row.meetingEdge === 'end'
      ? i18n._(msg`Opens after “${meeting}”`)
      : i18n._(msg`Opens with “${meeting}”`);
  }
  if (row?.mode === 'date' && row.opensLocal !== null && row.opensAt !== null) {
    const day = weekdayAndDay(row.opensLocal, i18n.locale);
    return row.opensAt > now ? i18n._(msg`Opens ${day}`) : i18n._(msg`Opened ${day}`);
  }
  return row === undefined || row.releaseDays === null ? rule : withDay(rule, row, i18n.locale);
}

/** `Opens on day 7 · Jan 11` */
function withDay(rule: string, { startsOn, releaseDays }: OpeningRow, locale: string): string {
  return `${rule} · ${shortDay(addDays(startsOn, releaseDays ?? 0), locale)}`;
}

function shownProgress(i18n: I18n, people: number, count: LessonCount | undefined) {
  const { opened, done } = count ?? { opened: 0, done: 0 };
  const openings = i18n._(msg`${plural(opened, { one: '# opened', other: '# opened' })}`);
  const finished = i18n._(msg`${plural(done, { one: '# done', other: '# done' })}`);
  // Who has left an open run is not among its people.
  const part = (some: number) => Math.min(some / people, 1);
  return { words: `${openings} · ${finished}`, opened: part(opened), done: part(done) };
}

/** Between which lessons most people stopped. */
export function dropWords(i18n: I18n, { finished, opened }: Drop, title: string): string {
  const lesson = isolated(title);
  return i18n._(
    msg`The largest drop: ${finished} people finished “${lesson}”, ${plural(opened, {
      0: 'no one opened the next lesson.',
      one: '# opened the next lesson.',
      other: '# opened the next lesson.',
    })}`,
  );
}
