import { expect, test } from 'vitest';
import { mailKindsOf } from '#email/kinds.ts';
import { payloadOf, serveSite } from './pages.ts';
import {
  addPerson,
  type BuiltWorker,
  createLesson,
  createParticipant,
  createVisitor,
  mailedTo,
  make,
  openCourse,
  signUpNewcomer,
  type Visitor,
} from './worker.ts';

let built: BuiltWorker;
let maria: Visitor;
let slug: string;
let learner: Visitor;
/** Of every page about an open run: those of its instructor, of a learner, and of everyone else. */
let pages: { owner: string[]; learner: string[]; nobody: string[] };
/** Answers of the API, and files. */
let answers: typeof pages;

/** An evergreen course with a run, in which someone has paid, and others stand in other ways. */
serveSite(async (site) => {
  ({ built } = site);
  const person = { email: 'maria@example.com', firstName: 'Maria', lastName: 'Mitchell' };
  maria = await signUpNewcomer(built, person);
  const grammar = { name: 'Grammar', course_type: 'evergreen' };
  const { id: course } = await make(maria, '/api/courses/', grammar);
  const lesson = await createLesson(maria, course, { text: 'One.' });
  const later = { title: 'Endings', release_days: 7 };
  const section = await make(maria, `/api/courses/${course}/sections/`, later);
  const second = await createLesson(maria, course, { text: 'Two.' });
  const to = { section_id: section.id, before: null };
  await make(maria, `/api/lessons/${second}/move/`, to);
  const run = await make(maria, `/api/courses/${course}/enrollment/`);
  slug = new URL(run.public_url).pathname.slice('/c/'.length);
  const api = `/api/cohorts/${run.id}`;
  const settings = { price_minor: 6_000, currency: 'EUR', access_days: 90 };
  await make(maria, `${api}/`, settings, 'PATCH');

  const grace = await createParticipant(built, maria, { id: run.id, slug });
  const place = grace.enrollmentId;
  for (const as of ['enrolled', 'invited', 'waitlisted']) {
    await addPerson(maria, run, { as, name: 'Alan Turing', email: `${as}@example.com` });
  }
  const paid = { kind: 'payment', method: 'cash', received_on: '2026-01-05' };
  await make(maria, `${api}/ledger/`, { ...paid, enrollments: [place] });
  await make(maria, `${api}/enrollments/${place}/complete/`);
  await make(maria, `${api}/messages/`, { subject: 'Our room', text: 'It is open.' });
  await built.server.getWorker().scheduled({ cron: '*/5 * * * *' });
  const unsubscribe = await mailedTo(built, grace.email, /\/p\/unsubscribe\?u=([\w.-]+)/);
  learner = await openCourse(built, grace.link);

  const ofRun = ['', '/roster', '/roster?standing=stuck', `/roster/${place}`, '/waitlist']
    .concat(['/import', '/settings', '/message', '/preview', `/attestation/${place}`, '/emails'])
    .concat(mailKindsOf('open').map((kind) => `/emails/${kind}`))
    .map((name) => `/cohorts/${run.id}${name}`);
  const lessons = ['', `/${lesson}`, '/preview', `/preview/${second}`];
  const payments = ['', `?cohort=${run.id}`, `/${run.id}/${place}`];
  pages = {
    owner: ['/', '/cohorts', '/settings', ...ofRun]
      .concat(lessons.map((name) => `/lessons${name}`))
      .concat(payments.map((name) => `/payments${name}`)),
    learner: ['', `/${lesson}`, `/${second}`, '/all', '/attestation']
      .map((name) => `/learn/${course}${name}`)
      .concat('/learn'),
    nobody: [
      `/c/${slug}`,
      `/p/${grace.link}`,
      `/p/confirm?token=${grace.token}`,
      `/p/data?token=${grace.dataToken}`,
      `/p/remove?token=${grace.removeToken}`,
      `/p/address?token=${grace.addressToken}`,
      `/p/unsubscribe?u=${unsubscribe}`,
      `/p/certificate?token=${grace.link}&place=${place}`,
    ],
  };
  const ofCourse = ['', 'cohorts/', 'content/', 'payments/', 'ledger.csv'];
  const data = ['', 'enrollments/', `enrollments/${place}/`, 'waitlist/', 'requests/', 'addresses/']
    .concat(['learning/', 'emails/', 'emails/enrolled/', 'ledger/', `ledger/${place}/`])
    .concat(['ledger.csv', 'roster.csv']);
  answers = {
    owner: ['/api/courses/']
      .concat(ofCourse.map((name) => `/api/courses/${course}/${name}`))
      .concat(data.map((name) => `${api}/${name}`)),
    learner: [`/api/learning/${course}/`, `/api/learning/${course}/lessons/${lesson}/`],
    nobody: [`/api/public/cohorts/${slug}/`],
  };
});

/** The last day of every open run, which is in the database alone. */
const farDate = /.{0,40}\b210[01]\b.{0,20}/;

const words = { en: /\bcohorts?\b/i, fr: /\bcohortes?\b/i };

/** The sidebar, shortcuts of Home, the other type of course, and emails about all of one's courses. */
const named = {
  en: /^Cohorts?$|^Run your last cohort|change it to a cohort course|left your cohorts/,
  fr: /^Cohortes?$|^Relancer votre dernière cohorte|un cours par cohortes|quitté vos cohortes/,
};

/** Far dates in a text. Ids and addresses can look like anything. */
function farDatesIn(text: string): string[] {
  return farDate.exec(text.replace(/[\w-]{20,}|https?:[^\s"]+/g, '')) ?? [];
}

/** What a page says, in its texts and in attributes that are read out or shown. */
function saidBy(html: string): string[] {
  const shown = html.replace(/<(script|style)\b.*?<\/\1>/gs, '');
  const attributes = shown.matchAll(/\s(?:alt|aria-label|content|placeholder|title)="([^"]*)"/g);
  return [...shown.split(/<[^>]*>/), ...[...attributes].map(([, text = '']) => text)];
}

/** What pages in a language say that they must not; in French in their payloads, too. */
async function slipsOf(visitor: Visitor, addresses: string[], language: 'en' | 'fr') {
  const slips: string[] = [];
  visitor.cookies.set('language', language);
  for (const address of addresses) {
    const said = /^\/[cp]\//.test(address) ? `lang=${language}` : '';
    const path = [address, said].filter(Boolean).join(address.includes('?') ? '&' : '?');
    const { status, text: html } = await visitor.get(path);
    // A lesson that opens later says so under a 404.
    expect([200, address === pages.learner[2] ? 404 : 200], address).toContain(status);
    expect(html, address).toContain(`lang="${language}"`);
    // In English, texts of the payload look like names of parts of the program.
    const payload = language === 'fr' ? (await visitor.get(payloadOf(path))).text : '';
    const texts = [...saidBy(html), ...payload.split('"')]
      .map((text) => text.replace(/https?:\S+/g, ''))
      .filter((text) => words[language].test(text) && !named[language].test(text));
    const found = [...texts, ...farDatesIn(html), ...farDatesIn(payload)];
    slips.push(...found.map((text) => `${address}: ${text}`));
  }
  return slips;
}

test.each(['en', 'fr'] as const)(
  'no page of an evergreen course in %s has a date that it does not have, or a cohort',
  async (language) => {
    expect(await slipsOf(maria, pages.owner, language)).toEqual([]);
    expect(await slipsOf(learner, pages.learner, language)).toEqual([]);
    expect(await slipsOf(createVisitor(built.server), pages.nobody, language)).toEqual([]);
  },
);

test('no answer of the API and no file has one either', async () => {
  const visitors = { owner: maria, learner, nobody: createVisitor(built.server) };
  for (const [who, visitor] of Object.entries(visitors)) {
    for (const path of answers[who as keyof typeof answers]) {
      const { status, text } = await visitor.get(path);
      expect(status, path).toBe(200);
      expect(farDatesIn(text), path).toEqual([]);
      // Keys are those of every cohort.
      const values = text.replace(/"\w+":/g, '').replace(/https?:[^\s"]+/g, '');
      expect(values.match(words.en), `${path} ${text}`).toBeNull();
    }
  }
});

test('its public page says how it goes, is cached, and names the course once to a chat that shows a link to it', async () => {
  const nobody = createVisitor(built.server);
  for (const [language, words] of Object.entries({
    en: 'Start today, at your own pace',
    fr: 'Commencez aujourd’hui, à votre rythme',
  })) {
    const path = `/c/${slug}?lang=${language}`;
    for (const { headers, text } of [await nobody.get(path), await nobody.get(payloadOf(path))]) {
      expect(headers['cache-control']).toContain('s-maxage=10');
      expect(text).toContain(words);
    }
  }

  const { text } = await nobody.get(`/c/${slug}?lang=en`);
  expect(text).toMatch(/property="og:title" content="Grammar · with [^"]+"/);
});

test('its settings lead to those of its course', async () => {
  const path = pages.owner.find((page) => /^\/cohorts\/.*\/settings$/.test(page)) ?? '';
  const html = await (await maria.request(path)).text();

  expect(html.match(/class="button" href="[^"]*"/g)).toContain(
    'class="button" href="/settings#course"',
  );
});
