import { expect, test } from 'vitest';
import { dayFromToday } from '#support/days.ts';
import { payloadOf, read, serveSite, withoutNonce } from './pages.ts';
import {
  addPerson,
  type BuiltWorker,
  createClosedCourse,
  createCohort,
  createDraft,
  createMeetings,
  createVisitor,
  firstCourseOf,
  make,
  signUpPerson,
  type Visitor,
} from './worker.ts';

let built: BuiltWorker;
let ada: Visitor;
let nobody: Visitor;
let cohort: { id: string; slug: string };
let closedCourse: string;

serveSite(async (site) => {
  ({ built, ada } = site);
  nobody = createVisitor(built.server);
  cohort = await createCohort(ada);
  closedCourse = await createClosedCourse(ada);
});

test('a chat that shows a link reads which course it is, who teaches, and one picture', async () => {
  await make(ada, `/api/cohorts/${cohort.id}/`, { second_teacher: 'Daniel Petrov' }, 'PATCH');
  const robot = { 'User-Agent': 'facebookexternalhit/1.1' };
  const { text } = await nobody.get(`/c/${cohort.slug}?lang=en`, robot);
  const [head = ''] = text.split('</head>');
  const metas = Object.fromEntries(
    [...head.matchAll(/<meta (?:name|property)="([^"]+)" content="([^"]*)"/g)].map(
      ([, name, content]) => [name, content],
    ),
  );
  const url = `${built.origin}/c/${cohort.slug}`;

  expect(metas).toMatchObject({
    robots: 'noindex',
    description: expect.stringMatching(/.{5,}/),
    'og:title': expect.stringMatching(/^.+: Winter · with .+ .+ and Daniel Petrov$/),
    'og:description': metas['description'],
    'og:url': url,
    'og:type': 'website',
    'og:image': expect.stringMatching(/\/share\/\w+\.png$/),
    'og:image:width': '1200',
    'og:image:height': '630',
    'og:image:alt': expect.any(String),
    'twitter:card': 'summary_large_image',
  });
  expect(head).toContain(`<link rel="canonical" href="${url}"/>`);
  const picture = await built.server.fetch(metas['og:image'] ?? '');
  expect(picture.headers.get('Content-Type')).toBe('image/png');
  expect(picture.headers.get('Cross-Origin-Resource-Policy')).toBe('cross-origin');
  expect((await picture.arrayBuffer()).byteLength).toBeLessThan(40_000);
});

const forAMoment = 'public, s-maxage=10, stale-while-revalidate=50';

test.each([
  ['cohort', 'en', 'Enrollment is open'],
  ['cohort', 'fr', 'Les inscriptions sont ouvertes'],
  ['course', 'fr', 'Me prévenir de l’ouverture des inscriptions'],
])(
  'the page of a %s in %s is the same for everyone, and may be kept for a moment',
  async (what, language, words) => {
    const path = `/c/${what === 'cohort' ? cohort.slug : closedCourse}?lang=${language}`;
    ada.cookies.set('theme', 'dark');
    const bodies: string[] = [];
    // A worker names the scripts of its first answer in the order in which it has loaded them.
    await ada.request(path);
    for (const visitor of [ada, createVisitor(built.server)]) {
      const other = { 'Accept-Language': language === 'en' ? 'fr' : 'en' };
      const { status, headers, text } = await visitor.get(path, other);
      expect(status).toBe(200);
      expect(headers['cache-control']).toBe(forAMoment);
      expect(headers['vary'] ?? '').not.toMatch(/cookie|language/i);
      expect(headers).not.toHaveProperty('set-cookie');
      expect(text).toContain(`<html lang="${language}">`);
      expect(text).toContain('<meta name="robots" content="noindex"/>');
      expect(text).toContain(words);
      // When a form was opened is signed.
      bodies.push(withoutNonce(text).replace(/\d{13}\.[0-9a-f]{64}/g, 'stamp'));
    }

    expect(bodies[0]).toBe(bodies[1]);
    const payload = await ada.get(payloadOf(path));
    expect(payload.headers['cache-control']).toBe(forAMoment);
    expect(payload.headers).not.toHaveProperty('set-cookie');
    expect(payload.text).toContain(words);
  },
);

test('without a language in its address it is in the reader’s, and is not kept', async () => {
  for (const language of ['en', 'fr']) {
    const visitor = createVisitor(built.server);
    const { headers, text } = await visitor.get(`/c/${cohort.slug}`, {
      'Accept-Language': language,
    });

    expect(headers['cache-control']).toBe('no-store');
    expect(headers['vary']).toContain('Accept-Language');
    expect(headers).not.toHaveProperty('set-cookie');
    expect(text).toContain(`<html lang="${language}">`);
  }
});

test('a page that does not exist is not kept, nor its payload, whether it never did or is a draft again', async () => {
  await make(ada, `/api/cohorts/${cohort.id}/unpublish/`);
  const bodies: string[] = [];
  for (const slug of [cohort.slug, 'never-was']) {
    const path = `/c/${slug}?lang=en`;
    const { status, headers, text } = await createVisitor(built.server).get(path);
    expect([status, headers['cache-control']]).toEqual([404, 'no-store']);
    bodies.push(withoutNonce(text).replaceAll(slug, ''));
    // Although it is a success.
    const payload = await createVisitor(built.server).get(payloadOf(path));
    expect(payload.headers['cache-control']).toBe('no-store');
    expect(payload.text).not.toContain('Enrollment is');
  }

  expect(bodies[0]).toBe(bodies[1]);
});

test('the preview of a draft is its owner’s, and is not kept', async () => {
  const path = `/cohorts/${cohort.id}/preview`;
  for (const [address, language] of Object.entries({ [path]: 'en', [`${path}?lang=fr`]: 'fr' })) {
    const { status, headers, text } = await ada.get(address);
    expect([status, headers['cache-control']]).toEqual([200, 'no-store']);
    expect(headers['vary']).toContain('Cookie');
    expect(text).toContain(`<html lang="${language}"`);
  }

  expect((await nobody.get(path)).headers['location']).toContain('/login');
});

test('the last five past cohorts are listed, and all of them on request', async () => {
  for (let count = 0; count < 7; count += 1) {
    await createDraft(ada);
  }
  await built.sql(`UPDATE cohorts SET name = 'Past ' || rowid, published_at = 1,
      starts_on = '2020-01-04', ends_on = '2020-02-12', starts_at = 1578096000000,
      ends_at = 1581552000000
    WHERE name = 'Winter' AND id <> '${cohort.id}'`);
  await make(ada, `/api/courses/${await firstCourseOf(ada)}/select/`);
  const listed = (html: string) => new Set(html.match(/<bdi[^>]*>Past \d+<\/bdi>/g) ?? []).size;
  const { text: some } = await ada.get('/cohorts');
  const [, all = ''] = /href="([^"]+)">Show 2 earlier cohorts/.exec(some) ?? [];

  expect(listed(some)).toBe(5);
  expect(listed((await ada.get(all.replace(/#.*/, ''))).text)).toBe(7);
});

test('while people mark an owner’s emails as spam, each form says that no note goes out', async () => {
  const { id } = await createCohort(ada);
  await addPerson(ada, { id }, { name: 'Ines', email: 'ines@example.com' });
  await createMeetings(ada, { id }, 1);
  const count = async (page: string) =>
    (await ada.get(`/cohorts/${id}/${page}`)).text.split('goes out without a note').length - 1;
  const counts = () => Promise.all(['settings', 'move', 'schedule'].map(count));
  expect(await counts()).toEqual([0, 0, 0]);
  await built.sql('UPDATE mails_due SET sent_at = 1, complained_at = 1');
  const [trash = 0, move, schedule] = await counts();
  await built.sql('UPDATE mails_due SET complained_at = NULL');

  expect(trash).toBeGreaterThan(0);
  expect(move).toBeGreaterThan(0);
  // The changes are announced there, too.
  expect(schedule).toBeGreaterThan(trash);
});

test('a public page says when sessions are, what a place costs and who teaches, and nothing that is for the enrolled', async () => {
  const own = await createCohort(ada);
  await createMeetings(ada, own, 3);
  const values = {
    description: 'Read https://books.example/story first.',
    price_minor: 85_000,
    currency: 'USD',
    early_price_minor: 79_000,
    early_until_local: '2098-12-18',
    second_teacher: 'Daniel Osei',
    refund_note: 'Full refund until January 2.',
    terms_url: 'https://terms.example/group',
    join_url: 'https://meet.example/hidden',
    join_passcode: 'hidden passcode',
    welcome_note: 'hidden note',
  };
  await make(ada, `/api/cohorts/${own.id}/`, values, 'PATCH');
  const path = `/c/${own.slug}?lang=en`;
  const { text: html } = await nobody.get(path);

  for (const words of [
    /<h2[^>]*>3 Tuesdays</,
    /6:00\s–\s7:30\sPM Paris time\./,
    /href="https:\/\/books\.example\/story"/,
    /<strong>\$790<\/strong>.*Regular price.*\$850.*Early price until December 18/,
    /Enroll for \$790/,
    /Who teaches.*Daniel Osei.*If you can’t come.*Full refund until January 2\./,
    /href="https:\/\/terms\.example\/group"/,
    /href="[^"]+\.ics"/,
  ]) {
    expect(html).toMatch(words);
  }
  expect(html + (await nobody.get(payloadOf(path))).text).not.toMatch(/hidden |meet\.example/);
  // Their owner has the next one in view.
  for (const page of [`/cohorts/${own.id}`, '/']) {
    expect(await read(ada, page), page).toContain('First live session');
  }
});

test('a cohort that takes no one leads to the other dates', async () => {
  const { slug } = await createCohort(ada, { join_mode: 'invitation' });

  expect(await read(nobody, `/c/${slug}?lang=en`)).toMatch(
    /This cohort is by invitation\..*Other dates of/,
  );
});

test('the list groups cohorts by what they are now, a trail names each page, and people are counted before a course or an account is deleted', async () => {
  const grace = { email: 'grace@example.com', firstName: 'Grace', lastName: 'Hopper' };
  const owner = await signUpPerson(built, { ...grace, courseName: 'Compilers' });
  expect(await read(owner, '/cohorts')).toContain('No cohorts yet.');

  const between = (first: number, last: number) => ({
    ...{ starts_on: dayFromToday(first), ends_on: dayFromToday(last), time_zone: 'UTC' },
  });
  const opens = { enrollment_opens_local: `${dayFromToday(20)}T10:00` };
  const past = between(-120, -80);
  const autumn = await createCohort(owner, { name: 'Autumn', ...between(-17, 24), capacity: 18 });
  await createCohort(owner, { name: 'Winter', ...between(41, 80), capacity: 20 });
  await createCohort(owner, { name: 'Spring', ...between(60, 90), ...opens });
  await createCohort(owner, { name: 'Last year', ...past });
  await createDraft(owner, { name: 'Summer', ...between(41, 80) });
  const old = await createCohort(owner, { name: 'Old', ...past });
  await make(owner, `/api/cohorts/${old.id}/archive/`);
  const dropped = await createDraft(owner, { name: 'Dropped' });
  await make(owner, `/api/cohorts/${dropped.id}/`, {}, 'DELETE');
  await addPerson(owner, autumn, { name: 'Joan Clarke', email: 'joan@example.com' });

  for (const [path, ...words] of [
    [
      '/cohorts',
      /Archive 1 .*Trash 1 .*Now.*Autumn.*Running.*Week 3 of 6.*1 of 18.*Upcoming.*Winter.*Enrolling.*0 of 20.*Spring.*Opens on.*Drafts.*Summer.*Draft.*Past.*Last year.*Finished/,
    ],
    ['/cohorts/archive', /Old.*Archived/],
    ['/cohorts/trash', /Dropped.*In the trash/],
    [`/cohorts/${autumn.id}`, /Week 3 of 6\./],
    [`/cohorts/${autumn.id}/schedule/new`, /Cohorts Autumn Schedule Add session/],
    [
      '/settings',
      /The course has 6 cohorts\./,
      /1 person is in the cohorts/,
      /4 cohorts haven’t ended yet\./,
    ],
  ] as [string, ...RegExp[]][]) {
    const page = await read(owner, path);
    for (const pattern of words) {
      expect(page).toMatch(pattern);
    }
  }

  const course = `/api/courses/${await firstCourseOf(owner)}/`;
  await make(owner, course, { course_type: 'evergreen' }, 'PATCH');
  const kept = await read(owner, '/cohorts');
  expect(kept).toMatch(/Its cohorts continue.*Winter/);
  expect(kept).not.toContain('New cohort');
});
