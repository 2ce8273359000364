import type { I18n } from '@lingui/core';
import { msg, plural } from '@lingui/core/macro';
import { isolated } from '#lib/text.ts';
import type { Drop } from './find-drop.ts';
import type { LessonCount } from './find-outline.ts';
import type { ShownSection } from './outline.tsx';
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
export function outlineTexts(i18n: I18n) {
  const { title, section, place, count } = {
    title: '{title}',
    section: '{section}',
    place: '{place}',
    count: '{count}',
  };
  const cancel = i18n._(msg`Cancel`);
  const saving = i18n._(msg`Saving…`);
  const close = i18n._(msg`Close`);
  const save = { submit: i18n._(msg`Save`), submitting: saving, cancel };
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
    minutes: {
      ...save,
      title: i18n._(msg`Reading time`),
      field: i18n._(msg`Minutes`),
      hint: i18n._(msg`Leave it empty, and we’ll estimate it from the length of the text.`),
      done: i18n._(msg`Reading time saved.`),
    },
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
    unpublish: {
      label: i18n._(msg({ message: 'Unpublish', context: 'lesson' })),
      done: i18n._(msg`No longer published. What people have done is kept.`),
    },
    trash: {
      label: i18n._(msg`Move to the trash`),
      done: i18n._(msg`Moved to the trash.`),
      undo: i18n._(msg`Undo`),
      restored: i18n._(msg`Lesson restored.`),
    },
    deleteSection: {
      label: i18n._(msg`Delete section`),
      done: i18n._(msg`Section deleted.`),
    },
  };
}

/**
 * The sections with what the outline says of their lessons.
 *
 * @param progress of a cohort; null without one
 */
export function shownSections(
  i18n: I18n,
  sections: OutlineSection[],
  progress: { people: number; gone: number; counts: ReadonlyMap<string, LessonCount> } | null,
): ShownSection[] {
  return sections.map(({ id, title, lessons }) => ({
    id,
    title,
    lessons: lessons.map((lesson) => ({
      id: lesson.id,
      title: lesson.title,
      state: lesson.state,
      version: lesson.draft_version,
      typedMinutes: lesson.minutes,
      minutes: i18n._(msg`${lesson.reading_minutes} min`),
      progress:
        progress === null || lesson.state === 'draft'
          ? null
          : shownProgress(i18n, progress.people + progress.gone, progress.counts.get(lesson.id)),
    })),
  }));
}

function shownProgress(i18n: I18n, people: number, count: LessonCount | undefined) {
  const { opened, done } = count ?? { opened: 0, done: 0 };
  const of = Math.max(people, 1);
  const openings = i18n._(msg`${plural(opened, { one: '# opened', other: '# opened' })}`);
  const finished = i18n._(msg`${plural(done, { one: '# done', other: '# done' })}`);
  return { words: `${openings} · ${finished}`, opened: opened / of, done: done / of };
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
