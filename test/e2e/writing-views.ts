import { expect, type Page } from '@playwright/test';
import type { Lesson } from '#features/lessons/schema.ts';
import { makeLesson, saveElsewhere } from './lessons.ts';
import { courseNames, makeCourse, peopleNames } from './people.ts';
import { toAccount } from './settings.ts';
import { askApi } from './support.ts';
import { type View, viewsOf } from './view.ts';

const writer = viewsOf('the author of a lesson', makeWritten);
const page = '/lessons/[lesson]';
const editor = '.lesson-editor [contenteditable="true"]';
const menu = '[popovertarget="lesson-menu"]';

/** A lesson while it is written, what can be asked about it, and its versions. */
export const writingViews: View[] = [
  writer('writing', page, { until: editor }),
  writer('writing-menu', page, { isOverlay: true, presses: [menu] }),
  writer('writing-minutes', page, {
    isOverlay: true,
    act: (at) => at.locator('#lesson-minutes').evaluate(showDialog),
  }),
  writer('writing-kept', page, { before: keepText, until: '.kept-text' }),
  writer('writing-conflict', page, {
    isExample: true,
    isOverlay: true,
    act: async (at, { lesson = '' }) => {
      await expect(at.locator(editor)).toBeVisible();
      await at.route(`**/api/lessons/${lesson}/draft/`, refuse, { times: 1 });
      await at.locator('.writing-title textarea').press('End');
      await at.locator('.writing-title textarea').press('Space');
      await at.keyboard.press('Control+s');
    },
    until: '.conflict[open]',
  }),
  writer('writing-logout', page, {
    isOverlay: true,
    before: keepText,
    act: (at) => at.locator('#kept-texts').evaluate(showDialog),
  }),
  writer('versions', '/lessons/[lesson]/versions'),
  writer('version-changes', '/lessons/[lesson]/versions?show=changes', { until: '.changes ins' }),
];

/** A published lesson with changes, and a version of it. */
async function makeWritten(at: Page): Promise<Record<string, string>> {
  await makeCourse(at);
  const [title = '', other = ''] = courseNames;
  const lesson = await makeLesson(at, title, ...peopleNames);
  const { draft_version: version } = lesson;
  await askApi(at, 'POST', `/api/lessons/${lesson.id}/publish/`, { draft_version: version });
  await saveElsewhere(at, lesson, ...peopleNames, other);
  return { lesson: lesson.id };
}

/** As if this browser could not send a text. */
async function keepText(at: Page, { lesson = '' }: Record<string, string>): Promise<void> {
  const { document } = (await askApi(at, 'GET', `/api/lessons/${lesson}/`)) as Lesson;
  const { id: viewerId } = await toAccount(at);
  const kept = {
    viewerId,
    version: 1,
    at: Date.now(),
    words: 312,
    content: { title: courseNames[1], document },
  };
  await at.addInitScript(([key, text]) => window.localStorage.setItem(key, text), [
    `lesson:${lesson}:view`,
    JSON.stringify(kept),
  ] as const);
}

/** The answer after another tab has saved. */
async function refuse(route: Parameters<Parameters<Page['route']>[1]>[0]): Promise<void> {
  const sent = route.request().postDataJSON() as Lesson;
  await route.fulfill({
    status: 409,
    json: {
      code: 'lesson_changed',
      message: '',
      request_id: '',
      lesson: {
        ...sent,
        title: courseNames[1],
        draft_version: 9,
        saved_at: new Date().toISOString(),
      },
      conflict_version_id: 1,
    },
  });
}

function showDialog(dialog: Element): void {
  // The selector finds dialogs.
  (dialog as HTMLDialogElement).showModal();
}
