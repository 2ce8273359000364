import { expect, test } from 'vitest';
import { serveSite, withoutNonce } from './pages.ts';
import {
  type BuiltWorker,
  createClosedCourse,
  createCohort,
  createMeetings,
  createVisitor,
  signUpPerson,
  type Visitor,
} from './worker.ts';

let built: BuiltWorker;
let ada: Visitor;
let cohort: { id: string; slug: string };

serveSite(async (site) => {
  ({ built, ada } = site);
  cohort = await createCohort(ada);
});

test('a chat that shows a link reads which course it is, who teaches, and one picture', async () => {
  await ada.send('PATCH', `/api/cohorts/${cohort.id}/`, { second_teacher: 'Daniel Petrov' });
  const robot = createVisitor(built.server);
  const headers = { 'User-Agent': 'facebookexternalhit/1.1' };
  const html = await (await robot.request(`/c/${cohort.slug}?lang=en`, { headers })).text();
  const [head = ''] = html.split('</head>');
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

test.each([
  ['en', 'Enrollment is open'],
  ['fr', 'Les inscriptions sont ouvertes'],
])(
  'a cohort’s page in %s is the same for everyone, and may be kept for a moment',
  async (language, text) => {
    const path = `/c/${cohort.slug}?lang=${language}`;
    ada.cookies.set('theme', 'dark');
    const bodies: string[] = [];
    // A worker names the scripts of its first answer in the order in which it has loaded them.
    await ada.request(path);
    for (const visitor of [ada, createVisitor(built.server)]) {
      const other = { 'Accept-Language': language === 'en' ? 'fr' : 'en' };
      const response = await visitor.request(path, { headers: other });
      const html = await response.text();
      expect(response.status).toBe(200);
      expect(response.headers.get('Cache-Control')).toBe(
        'public, s-maxage=10, stale-while-revalidate=50',
      );
      expect(response.headers.get('Vary') ?? '').not.toMatch(/cookie|language/i);
      expect(response.headers.getSetCookie()).toEqual([]);
      expect(html).toContain(`<html lang="${language}">`);
      expect(html).toContain('<meta name="robots" content="noindex"/>');
      expect(html).toContain(text);
      bodies.push(withoutNonce(html));
    }

    expect(bodies[0]).toBe(bodies[1]);
    const query = new URLSearchParams({ query: `lang=${language}` });
    const payload = await ada.request(`/RSC/R/c/${cohort.slug}.txt?${query}`);
    expect(payload.headers.get('Cache-Control')).toContain('s-maxage=10');
    expect(payload.headers.getSetCookie()).toEqual([]);
    expect(await payload.text()).toContain(text);
  },
);

test('without a language in its address it is in the reader’s, and is not kept', async () => {
  for (const language of ['en', 'fr']) {
    const headers = { 'Accept-Language': language };
    const response = await createVisitor(built.server).request(`/c/${cohort.slug}`, { headers });

    expect(response.headers.get('Cache-Control')).toBe('no-store');
    expect(response.headers.get('Vary')).toContain('Accept-Language');
    expect(response.headers.getSetCookie()).toEqual([]);
    expect(await response.text()).toContain(`<html lang="${language}">`);
  }
});

test('the page of a course is kept, not indexed and free of cookies like that of a cohort', async () => {
  const slug = await createClosedCourse(ada);
  const response = await createVisitor(built.server).request(`/c/${slug}?lang=fr`);
  const html = await response.text();

  expect(response.status).toBe(200);
  expect(response.headers.get('Cache-Control')).toContain('s-maxage=10');
  expect(response.headers.getSetCookie()).toEqual([]);
  expect(html).toContain('<meta name="robots" content="noindex"/>');
  expect(html).toContain('Me prévenir de l’ouverture des inscriptions');
});

test('a page that does not exist is not kept, nor its payload, whether it never did or is a draft again', async () => {
  await ada.post(`/api/cohorts/${cohort.id}/unpublish/`, {});
  const bodies: string[] = [];
  for (const slug of [cohort.slug, 'never-was']) {
    const response = await createVisitor(built.server).request(`/c/${slug}?lang=en`);
    expect(response.status).toBe(404);
    expect(response.headers.get('Cache-Control')).toBe('no-store');
    bodies.push(withoutNonce(await response.text()).replaceAll(slug, ''));

    const query = new URLSearchParams({ query: 'lang=en' });
    const payload = await createVisitor(built.server).request(`/RSC/R/c/${slug}.txt?${query}`);
    // Although it is a success.
    expect(payload.headers.get('Cache-Control')).toBe('no-store');
    expect(await payload.text()).not.toContain('Enrollment is');
  }

  expect(bodies[0]).toBe(bodies[1]);
});

test('the preview of a draft is its owner’s, and is not kept', async () => {
  const path = `/cohorts/${cohort.id}/preview`;
  const own = await ada.request(path);
  expect(own.status).toBe(200);
  expect(own.headers.get('Cache-Control')).toBe('no-store');
  const french = await ada.request(`${path}?lang=fr`);
  expect(await french.text()).toContain('<html lang="fr"');
  expect(french.headers.get('Cache-Control')).toBe('no-store');
  expect(french.headers.get('Vary')).toContain('Cookie');
  const other = await createVisitor(built.server).request(path);

  expect(other.headers.get('Location')).toContain('/login');
});

test('an unknown cohort is not found inside the frame, as a document and as a payload', async () => {
  for (const part of ['', '/settings', '/move', '/duplicate', '/preview']) {
    const path = `cohorts/${crypto.randomUUID()}${part}`;
    const page = await ada.request(`/${path}`);
    expect(page.status).toBe(404);
    expect(page.headers.get('Cache-Control')).toBe('no-store');
    const payload = await ada.request(`/RSC/R/${path}.txt`);
    for (const text of [await page.text(), await payload.text()]) {
      expect(text).toContain('Page not found');
      expect(text).toContain('Main navigation');
    }
    const stranger = await createVisitor(built.server).request(`/${path}`);
    expect(stranger.headers.get('Location')).toContain('/login');
  }
});

test('the last five past cohorts are listed, and all of them on request', async () => {
  for (let count = 0; count < 7; count += 1) {
    await createCohort(ada);
  }
  await built.sql(`UPDATE cohorts SET name = 'Past ' || rowid, starts_on = '2020-01-04',
      ends_on = '2020-02-12', starts_at = 1578096000000, ends_at = 1581552000000
    WHERE id <> '${cohort.id}'`);
  const read = async (path: string) => (await ada.request(path)).text();
  const listed = (html: string) => new Set(html.match(/<bdi>Past \d+<\/bdi>/g) ?? []).size;
  const some = await read('/cohorts');
  const [, all = ''] = /href="([^"]+)">Show 2 earlier cohorts/.exec(some) ?? [];

  expect(listed(some)).toBe(5);
  expect(listed(await read(all.replace(/#.*/, '')))).toBe(7);
});

test('while people mark an owner’s emails as spam, each form says that no note goes out', async () => {
  const { id } = await createCohort(ada);
  const ines = { as: 'enrolled', name: 'Ines', email: 'ines@example.com' };
  expect((await ada.post(`/api/cohorts/${id}/enrollments/`, ines)).status).toBe(201);
  await createMeetings(ada, { id }, 1);
  const count = async (page: string) => {
    const html = await (await ada.request(`/cohorts/${id}/${page}`)).text();
    return html.split('goes out without a note').length - 1;
  };
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
  await ada.send('PATCH', `/api/cohorts/${own.id}/`, {
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
  });
  const visitor = createVisitor(built.server);
  const html = await (await visitor.request(`/c/${own.slug}?lang=en`)).text();
  const query = new URLSearchParams({ query: 'lang=en' });
  const payload = await (await visitor.request(`/RSC/R/c/${own.slug}.txt?${query}`)).text();

  expect(html).toMatch(/<h2[^>]*>3 Tuesdays</);
  expect(html).toMatch(/6:00\s–\s7:30\sPM Paris time\./);
  expect(html).toContain('href="https://books.example/story"');
  expect(html).toMatch(
    /<strong>\$790<\/strong>.*Regular price.*\$850.*Early price until December 18/,
  );
  expect(html).toContain('Enroll for $790');
  expect(html).toMatch(
    /Who teaches.*Daniel Osei.*If you can’t come.*Full refund until January 2\./,
  );
  expect(html).toContain('href="https://terms.example/group"');
  expect(html).toMatch(/href="[^"]+\.ics"/);
  expect(`${html}${payload}`).not.toContain('hidden ');
  expect(`${html}${payload}`).not.toContain('meet.example');
  // Their owner has the next one in view.
  for (const path of [`/cohorts/${own.id}`, '/']) {
    expect(await (await ada.request(path)).text(), path).toContain('First live session');
  }
});

test('a cohort that takes no one leads to the other dates', async () => {
  const { id, slug } = await createCohort(ada);
  await ada.send('PATCH', `/api/cohorts/${id}/`, { join_mode: 'invitation' });
  const html = await (await createVisitor(built.server).request(`/c/${slug}?lang=en`)).text();

  expect(html).toContain('This cohort is by invitation.');
  expect(html).toContain('Other dates of');
});

test('the list groups cohorts by what they are now, a trail names each page, and people are counted before a course or an account is deleted', async () => {
  const grace = { email: 'grace@example.com', firstName: 'Grace', lastName: 'Hopper' };
  const owner = await signUpPerson(built, { ...grace, courseName: 'Compilers' });
  const [course] = (await (await owner.request('/api/courses/')).json()) as { id: string }[];
  const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
  const make = async (name: string, first: number, last: number, values: object = {}) => {
    const dates = { starts_on: day(first), ends_on: day(last), time_zone: 'UTC' };
    const input = { name, ...dates, ...values };
    const made = await owner.post(`/api/courses/${course?.id}/cohorts/`, input);
    return ((await made.json()) as { id: string }).id;
  };
  const read = async (path: string) =>
    (await (await owner.request(path)).text())
      .replace(/<script.*?<\/script>/gs, '')
      .replace(/<[^>]*>|[\u2066-\u2069]/g, ' ')
      .replace(/\s+/g, ' ');
  expect(await read('/cohorts')).toContain('No cohorts yet.');

  const opens = { enrollment_opens_local: `${day(20)}T10:00` };
  const autumn = await make('Autumn', -17, 24, { capacity: 18 });
  await make('Summer', 41, 80);
  const old = await make('Old', -120, -80);
  for (const id of [
    autumn,
    old,
    await make('Winter', 41, 80, { capacity: 20 }),
    await make('Spring', 60, 90, opens),
    await make('Last year', -120, -80),
  ]) {
    await owner.post(`/api/cohorts/${id}/publish/`, {});
  }
  await owner.post(`/api/cohorts/${old}/archive/`, {});
  await owner.send('DELETE', `/api/cohorts/${await make('Dropped', 41, 80)}/`, undefined);
  const guest = { name: 'Joan Clarke', email: 'joan@example.com', as: 'enrolled' };
  await owner.post(`/api/cohorts/${autumn}/enrollments/`, guest);
  expect(await read('/cohorts')).toMatch(
    /Archive 1 Trash 1.*Now.*Autumn.*Running.*Week 3 of 6.*1 of 18.*Upcoming.*Winter.*Enrolling.*0 of 20.*Spring.*Opens on.*Drafts.*Summer.*Draft.*Past.*Last year.*Finished/,
  );
  expect(await read('/cohorts/archive')).toMatch(/Old.*Archived/);
  expect(await read('/cohorts/trash')).toMatch(/Dropped.*In the trash/);
  expect(await read(`/cohorts/${autumn}`)).toContain('Week 3 of 6.');
  expect(await read(`/cohorts/${autumn}/schedule/new`)).toMatch(
    /Cohorts Autumn Schedule Add session/,
  );
  const settings = await read('/settings');
  expect(settings).toContain('The course has 6 cohorts.');
  expect(settings).toContain('1 person is in the cohorts');
  expect(settings).toContain('4 cohorts haven’t ended yet.');

  await owner.send('PATCH', `/api/courses/${course?.id}/`, { course_type: 'evergreen' });
  const kept = await read('/cohorts');
  expect(kept).toContain('Its cohorts continue');
  expect(kept).toContain('Winter');
  expect(kept).not.toContain('New cohort');
});
