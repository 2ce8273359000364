import type { Page } from '@playwright/test';
import { addPerson } from './enrollments.ts';
import { makeEvergreen, makeRun } from './open-runs.ts';
import { publicPage, request } from './participant-views.ts';
import { clientOf, languageOf, newEmail, someone } from './people.ts';
import { askApi } from './support.ts';
import { type View, viewsOf } from './view.ts';

const joining = viewsOf('someone who joins an evergreen course', makeLinks);

const before = viewsOf('the owner of an evergreen course before its enrollment', async (page) => {
  await makeEvergreen(page);
  return {};
});

/** The public page of an evergreen course, its preview, and the pages of people who are in it. */
export const openRunViews: View[] = [
  before('run-preview-before', '/cohorts/preview'),
  joining('run-preview', '/cohorts/[run]/preview'),
  joining('run-public', '/c/[slug]', { ...publicPage, isLoggedOut: true }),
  joining('run-confirm', '/p/confirm?[confirm]'),
  joining('run-person', '/p/[link]'),
  joining('run-certificate', '/p/certificate?token=[link]&place=[place]'),
];

/** A run with someone who has completed it, and someone who asks. */
async function makeLinks(page: Page) {
  const run = await makeRun(page, { price_minor: 6_000, currency: 'EUR', access_days: 90 });
  const slug = run.public_url.split('/').at(-1) ?? '';
  const email = newEmail();
  const person = { ...someone(0), email, language: await languageOf(page) };
  const { id: place } = await addPerson(page, run, person);
  const { text } = await (await clientOf(page)).mailTo(email, '/p/');
  await askApi(page, 'POST', `/api/cohorts/${run.id}/enrollments/${place}/complete/`, {});
  return {
    run: run.id,
    slug,
    place,
    link: /\/p\/([0-9a-f-]{36}\.[0-9a-f]{64})/.exec(text)?.[1] ?? '',
    confirm: await request(page, slug, { email: newEmail() }),
  };
}
