import type { Page } from '@playwright/test';
import { makeDetailed } from './cohort-views.ts';
import { confirmRequest, partAfter, publicPage, request } from './participant-views.ts';
import { clientOf, courseNames, newEmail, someone } from './people.ts';
import { askApi } from './support.ts';
import { opener, type View, viewsOf } from './view.ts';

const asking = viewsOf('the owner of a cohort that people ask to join', makeAsking);

const roster = '/cohorts/[id]/roster?status=applied';

/** A cohort that people join by approval, with its question, for both sides. */
export const approvalViews: View[] = [
  asking('enroll-approval', '/c/[slug]', publicPage),
  asking('person-applied', '/p/[link]'),
  asking('roster-applied', roster),
  asking('approve-all', roster, {
    isOverlay: true,
    presses: [opener('approve-all')],
    until: '#approve-all [type=submit]',
  }),
  asking('refuse-person', roster, {
    isOverlay: true,
    presses: ['[data-person]', opener('remove-person')],
    until: '#remove-person [type=submit]',
  }),
  asking('person-asking', '/cohorts/[id]/roster/[enrollment]'),
];

/** Made of data of other views, so that the tests of texts recognize it. */
const question = courseNames[0] ?? '';
/** Longer than lists show, so that they cut it between words. */
const answer = [
  courseNames[1],
  '',
  Array.from({ length: 30 }, () => courseNames[2]).join(' '),
].join('\n');

/** A cohort that three people have asked for a place in. */
async function makeAsking(page: Page) {
  const { id, slug } = await makeDetailed(page, { join_mode: 'approval', question }, 'publish');
  const email = newEmail();
  for (let index = 0; index < 3; index += 1) {
    const who = index === 0 ? { ...someone(0), email } : someone(index);
    const form = { ...who, question, answer: index % 3 === 2 ? '' : answer };
    await confirmRequest(page, await request(page, slug, form));
  }
  const path = `/api/cohorts/${id}/enrollments/?status=applied`;
  const { items } = (await askApi(page, 'GET', path)) as { items: { id: string }[] };
  const { text } = await (await clientOf(page)).mailTo(email, '/p/', 2);
  const first = items.find((item) => text.includes(item.id)) ?? items[0];
  return { id, slug, link: partAfter('/p/', text), enrollment: first?.id ?? '' };
}
