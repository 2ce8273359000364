import { expect, type Page } from '@playwright/test';
import { makeDetailed } from './cohort-views.ts';
import { confirmRequest, partAfter, publicPage, request } from './participant-views.ts';
import { clientOf, courseNames, newEmail, someone } from './people.ts';
import { askApi } from './support.ts';
import { makeMistakes, opener, type View, viewsOf } from './view.ts';

const asking = viewsOf('the owner of a cohort that people ask to join', (page) =>
  makeAsking(page, 3),
);

const askingForTaken = viewsOf(
  'the owner of a full cohort that people ask to join',
  async (page) => {
    const made = await makeAsking(page, 2, { capacity: 1, minimum_people: 1 });
    const input = { as: 'enrolled', ...someone(0) };
    await askApi(page, 'POST', `/api/cohorts/${made.id}/enrollments/`, input);
    return made;
  },
);

const roster = '/cohorts/[id]/roster?status=applied';

/** A cohort that people join by approval, with its question, for both sides. */
export const approvalViews: View[] = [
  asking('enroll-approval', '/c/[slug]', publicPage),
  asking('enroll-approval-mistakes', '/c/[slug]', {
    isForNights: true,
    ...publicPage,
    act: answerAtLength,
  }),
  asking('confirm-application', '/p/confirm?[confirm]', { isForNights: true }),
  asking('confirm-application-done', '/p/confirm?[confirm]', {
    isForNights: true,
    isFresh: true,
    act: (page) => page.locator('main button[type="submit"]').click(),
    until: 'main a.button',
  }),
  asking('person-applied', '/p/[link]'),
  asking('person-applied-withdraw', '/p/[link]', {
    isForNights: true,
    isOverlay: true,
    presses: ['[command="show-modal"]'],
  }),
  asking('person-refused', '/p/[link]', { isForNights: true, isFresh: true, before: refuse }),
  asking('roster-asked', '/cohorts/[id]/roster', { isForNights: true }),
  asking('roster-applied', roster),
  asking('roster-applied-ticked', roster, { isForNights: true, act: tick }),
  asking('roster-applied-menu', roster, {
    isForNights: true,
    isOverlay: true,
    presses: ['[data-person]'],
    until: '#person-menu a',
  }),
  asking('approve-all', roster, {
    isOverlay: true,
    presses: [opener('approve-all')],
    until: '#approve-all [type=submit]',
  }),
  asking('refuse-all', roster, {
    isForNights: true,
    isOverlay: true,
    presses: [opener('refuse-all')],
    until: '#refuse-all [type=submit]',
  }),
  asking('refuse-person', roster, {
    isForNights: true,
    isOverlay: true,
    presses: ['[data-person]', opener('remove-person')],
    until: '#remove-person [type=submit]',
  }),
  asking('person-asking', '/cohorts/[id]/roster/[enrollment]'),
  asking('cohort-applied', '/cohorts/[id]', { isForNights: true }),
  asking('cohort-question', '/cohorts/[id]/settings#cohort-question', { isForNights: true }),
  asking('home-applied', '/', { isForNights: true }),
  askingForTaken('roster-applied-full', roster, { isForNights: true }),
];

/** Made of data of other views, so that the tests of texts recognize it. */
const question = courseNames[0] ?? '';
/** Longer than lists show, so that they cut it between words. */
const answer = [
  courseNames[1],
  '',
  Array.from({ length: 30 }, () => courseNames[2]).join(' '),
].join('\n');

/** A cohort that this many people have asked for a place in, and one who has not confirmed it. */
async function makeAsking(page: Page, count: number, values: object = {}) {
  const cohort = { join_mode: 'approval', question, ...values };
  const { id, slug } = await makeDetailed(page, cohort, 'publish');
  const email = newEmail();
  for (let index = 0; index < count; index += 1) {
    const who = index === 0 ? { ...someone(0), email } : someone(index);
    const form = { ...who, question, answer: index % 3 === 2 ? '' : answer };
    await confirmRequest(page, await request(page, slug, form));
  }
  const confirm = await request(page, slug, { ...someone(0), question, answer });
  const path = `/api/cohorts/${id}/enrollments/?status=applied`;
  const { items } = (await askApi(page, 'GET', path)) as { items: { id: string }[] };
  const { text } = await (await clientOf(page)).mailTo(email, '/p/', 2);
  const first = items.find((item) => text.includes(item.id)) ?? items[0];
  return { id, slug, confirm, link: partAfter('/p/', text), enrollment: first?.id ?? '' };
}

async function answerAtLength(page: Page): Promise<void> {
  await page.locator('[name="answer"]').fill('1'.repeat(501));
  await makeMistakes('.public-box', 4)(page);
}

async function refuse(page: Page, { id, enrollment }: Record<string, string>): Promise<void> {
  const path = `/api/cohorts/${id}/enrollments/${enrollment}/refuse/`;
  await askApi(page, 'POST', path, { notify: false });
}

async function tick(page: Page): Promise<void> {
  await page.locator('.tick input').first().check();
  // Its button says how many only once it is hydrated.
  await expect(page.locator('.burst .button').first()).toContainText('1');
}
