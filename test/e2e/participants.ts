import type { Page } from '@playwright/test';
import { comingDays, makeCohort } from './cohorts.ts';
import { signedInAs } from './people.ts';
import { biology } from './settings.ts';
import { askApi, expect, mailsTo, signInWith, uniqueEmail } from './support.ts';

const winter = { name: 'Winter', ...comingDays, time_zone: 'Asia/Kathmandu' };

type Group = { id: string; name: string; public_url: string };

/**
 * A published cohort of an instructor, who is signed in on this page. The tests of a process share
 * the instructor: each looks at its own cohort only.
 */
export async function publishCohort(page: Page, values: object = {}): Promise<Group> {
  const ada = { first_name: 'Ada', last_name: 'Lovelace' };
  await signedInAs(
    page,
    'an instructor',
    () => askApi(page, 'POST', '/api/courses/', biology),
    ada,
  );
  return makeCohort(page, { ...winter, ...values }, 'publish');
}

/** The same of a new instructor, for what is theirs and not of one cohort. */
export async function publishOwnCohort(page: Page, values: object = {}): Promise<Group> {
  await signInWith(page, [biology]);
  return makeCohort(page, { ...winter, ...values }, 'publish');
}

/** Someone whom the instructor adds or invites; resolves to the link in their email. */
export async function addPerson(
  page: Page,
  { id }: Pick<Group, 'id'>,
  values: { as?: 'enrolled' | 'invited'; name?: string; language?: string } = {},
): Promise<{ email: string; link: string; enrollmentId: string }> {
  const email = uniqueEmail();
  const person = { as: 'enrolled', name: 'Grace Hopper', language: 'en', ...values, email };
  const added = await askApi(page, 'POST', `/api/cohorts/${id}/enrollments/`, person);
  const { id: enrollmentId } = added as { id: string };
  return { email, link: await linkTo('/p/', email), enrollmentId };
}

/**
 * The latest link in the emails to an address that leads to a path, or for `/p/` to the page of
 * their own, once this many have come.
 */
export async function linkTo(path: string, email: string, mailCount = 1): Promise<string> {
  const wanted = path === '/p/' ? /\/p\/[0-9a-f]{8}-/ : new RegExp(RegExp.escape(path));
  let link: string | undefined;
  await expect(async () => {
    const mails = await mailsTo(email);
    expect(mails.length).toBeGreaterThanOrEqual(mailCount);
    const links = mails.flatMap(({ text }) => text.match(/http\S+\/p\/\S+/g) ?? []);
    link = links.findLast((one) => wanted.test(one));
    expect(link).toBeDefined();
  }).toPass({ intervals: [50, 100, 250], timeout: 15_000 });
  return link ?? '';
}

/** Asks for a place on the public page; resolves to the address. */
export async function askForPlace(
  page: Page,
  url: string,
  words = { name: 'Your name', email: 'Email address', button: 'Enroll', sent: 'Check your email' },
): Promise<string> {
  const email = uniqueEmail();
  await page.goto(url);
  await page.getByRole('textbox', { name: words.name }).fill('Grace Hopper');
  await page.getByRole('textbox', { name: words.email }).fill(email);
  await page.getByRole('checkbox').check();
  await page.getByRole('button', { name: words.button }).click();
  await expect(page.getByRole('heading', { name: words.sent })).toBeFocused();
  await expect(page.locator('.public-sent')).toContainText(email);
  return email;
}
