import { randomUUID } from 'node:crypto';
import { type Cookie, expect, type Page } from '@playwright/test';
import { mailsIn } from '#support/inbox.ts';
import { inboxOrigin, pseudo } from './playwright.config.ts';
import { askApi, uniqueEmail } from './support.ts';

export const languages = ['en', 'fr'] as const;

export const person = { first_name: 'Élodie', last_name: 'Ångström-Ørsted' };

/** Its letters are in the extended file of the titles' font. */
export const centralEuropean = { first_name: 'Šárka', last_name: 'Kőszegi-Łukaszewicz' };

/** Of `googlePeople.pictured`, whose address may wrap before its @. */
const picturedNames = ['Petra', 'Pictured', 'petra.pictured', 'PP'];

export const centralEuropeanCourse = 'Ábécé dla początkujących';

export const peopleNames = [person, centralEuropean].map(
  ({ first_name, last_name }) => `${first_name} ${last_name}`,
);

export const courseNames = [
  'An introduction to guidance computers and their software',
  'Éléments d’algèbre',
  'Watercolors',
  'Biology 101',
];

/** Does not fit on its cover. */
export const longCourseName =
  'Reading Scientific Papers, from Abstract to Appendix, with a Pencil in Hand: Finding the Question, Judging the Method, Weighing the Figures and Their Error Bars, Following the References, and Explaining What Was Learned in Your Own Words to Someone Else';

/** A new address without anything that looks like a word. */
export function newEmail(): string {
  return uniqueEmail().replace('ada', `a${randomUUID().slice(0, 2)}`);
}

/** Someone who could take part, by their place in a list. */
export function someone(index: number) {
  return { name: peopleNames[index % peopleNames.length] ?? '', email: newEmail() };
}

/** Content of a page that is not translated. */
export const userData = [
  ...Object.values(person),
  ...Object.values(centralEuropean),
  ...picturedNames,
  centralEuropeanCourse,
  ...courseNames,
  longCourseName,
  // Of the lessons of `makeOutline`.
  'Write for ten minutes',
  'example.com',
];

/** Signed-in people and what was made for them, for the tests of this process. */
const known = new Map<string, { cookies: Cookie[]; made: unknown }>();

/**
 * Signs the browser in as a new user, and makes something for them. In this process, language and
 * server, the same user has this name from then on, so a test changes only what is its own.
 */
export async function signedInAs<Made>(
  page: Page,
  name: string,
  make: () => Promise<Made>,
  names = person,
): Promise<Made> {
  const client = await clientOf(page);
  const key = [client.origin, await languageOf(page), name].join(' ');
  const before = known.get(key);
  if (before !== undefined) {
    await page.context().addCookies(before.cookies);
    return before.made as Made;
  }
  await client.signUp(newEmail(), names);
  const made = await make();
  const cookies = await page.context().cookies();
  known.set(key, {
    // Preferences are those of each view.
    cookies: cookies.filter(({ name }) => name !== 'language' && name !== 'sidebar_state'),
    made,
  });
  return made;
}

/** Signs in as the owner of a course of cohorts, whom other tests share: only for looking. */
export async function lookAsOwner(page: Page): Promise<void> {
  await signedInAs(page, 'an owner', () => makeCourse(page));
}

/** Creates this many courses, of cohorts and evergreen ones in turn. */
export async function makeCourses(page: Page, count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    const course_type = index % 2 === 0 ? 'cohort' : 'evergreen';
    const name = courseNames[index % courseNames.length];
    await askApi(page, 'POST', '/api/courses/', { name, course_type });
  }
}

/** Creates a course of cohorts, whose name fits everywhere. */
export async function makeCourse(page: Page): Promise<void> {
  await askApi(page, 'POST', '/api/courses/', { name: courseNames[1], course_type: 'cohort' });
}

export type Mail = { subject: string; html: string; text: string };

/** How people get an account, on the page's own server. */
export async function clientOf(page: Page) {
  // Sets the cookie that requests need.
  const { origin } = new URL((await page.request.get('/api/health/', { maxRetries: 1 })).url());
  const inbox = origin === pseudo.origin ? pseudo.inboxOrigin : inboxOrigin;

  /** The latest of at least this many emails to an address, with a link to a given page if any. */
  async function mailTo(email: string, linksTo = '', count = 1): Promise<Mail> {
    let mail: Mail | undefined;
    await expect(async () => {
      const mails = await mailsIn<Mail>(inbox, email);
      mail = mails.findLast(({ text }) => text.includes(linksTo));
      expect(mails.length).toBeGreaterThanOrEqual(count);
      expect(mail).toBeDefined();
    }).toPass({ intervals: [20, 50, 100, 250], timeout: 15_000 });
    return mail as Mail;
  }

  /** An unverified account and its verification link. */
  async function requestSignUp(email: string, names = person): Promise<string> {
    await askApi(page, 'POST', '/api/accounts/auth/signup/', { ...names, email });
    return linkIn(await mailTo(email));
  }

  /**
   * A signed-in user who requests an address change, and the links emailed to both addresses.
   */
  async function requestAddressChange() {
    const [email, newAddress] = [newEmail(), newEmail()];
    await confirm(await requestSignUp(email));
    const { id } = (await askApi(page, 'GET', '/api/accounts/auth/user/')) as { id: string };
    await askApi(page, 'PATCH', `/api/accounts/${id}/`, { email: newAddress });
    return {
      email,
      newAddress,
      confirmLink: linkIn(await mailTo(newAddress)),
      stopLink: linkIn(await mailTo(email, '/undo-address-change')),
    };
  }

  /** Confirms an emailed link. */
  async function confirm(link: string): Promise<void> {
    const token = new URL(link).searchParams.get('token');
    await askApi(page, 'POST', '/api/accounts/auth/confirm/', { token });
  }

  return {
    origin,
    mailTo,
    countMails: async (email: string) => (await mailsIn<Mail>(inbox, email)).length,
    requestSignUp,
    requestAddressChange,
    confirm,
    signUp: async (email: string, names = person) => confirm(await requestSignUp(email, names)),
  };
}

export function linkIn({ text }: Mail): string {
  return /http\S+\?token=\w+/.exec(text)?.[0] ?? '';
}

/** What follows a beginning in the link of an email's text, such as the token after `/p/`. */
export function partAfter(beginning: string, text: string): string {
  return new RegExp(`${RegExp.escape(beginning)}([\\w-]\\S*)`).exec(text)?.[1] ?? '';
}

/** The same in the latest of at least this many emails to an address. */
export async function mailedPart(
  page: Page,
  email: string,
  beginning: string,
  count = 1,
): Promise<string> {
  const { mailTo } = await clientOf(page);
  const { text } = await mailTo(email, beginning.replace('?', ''), count);
  return partAfter(beginning, text);
}

/** The language in the cookie of the page's browser. */
export async function languageOf(page: Page): Promise<string> {
  const cookies = await page.context().cookies();
  return cookies.find(({ name }) => name === 'language')?.value ?? 'en';
}

export function languageCookie(value: string) {
  return { name: 'language', value, domain: 'localhost', path: '/' };
}
