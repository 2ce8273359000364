import { expect, type Page } from '@playwright/test';
import { courseUrl } from './between.ts';
import { comingDays, dayFromToday, makeCohort, pastDays, runningDays, slugOf } from './cohorts.ts';
import { addPerson, cohortWith, enrollPeople, placeOf, requestPlaces } from './enrollments.ts';
import { addMeetings } from './meetings.ts';
import { courseNames, mailedPart, makeCourse, newEmail, peopleNames, someone } from './people.ts';
import { writeRow } from './rows.ts';
import { askApi, untilReady } from './support.ts';
import { type Made, mistake, send, show, type View, viewsOf } from './view.ts';

const [one = '', two = '', three = '', four = ''] = courseNames;

const ownerWithout = viewsOf('the owner of a course without cohorts', makeCourse);

const ownerOfAll = viewsOf('the owner of cohorts in each state', makeList);

const running = viewsOf('the owner of a running cohort', makeRunning);

const today = viewsOf('the owner of a cohort that meets now', makeSessionOfNow);

const full = viewsOf(
  'the owner of cohorts that are full or that people ask to join',
  async (page) => {
    await makeCourse(page);
    return { ...(await makeFull(page)), ...(await makeAsking(page)) };
  },
);

const closed = viewsOf('a reader of a course without an open cohort', async (page) => {
  await makeCourse(page);
  const opens = { enrollment_opens_local: `${dayFromToday(20)}T09:00` };
  await cohortWith(page, [], { name: three, ...opens });
  await cohortWith(page, [], { name: three, ...later, join_mode: 'invitation' });
  return { slug: slugOf({ public_url: await courseUrl(page) }) };
});

/** Alone, because no list with its days could be read. */
const unreadable = viewsOf('the owner of a cohort with unreadable days', async (page) => {
  await makeCourse(page);
  const { id } = await makeCohort(page, { name: one, ...comingDays });
  return { id };
});

/** Waits until the box of a public page shows the current state of enrollment. */
export const publicPage = {
  asks: /\/api\/public\/cohorts\//,
  until: '.public-box :is(small, p):not(:empty)',
};

/** Everything that the public page of a cohort can show. */
export const details = {
  name: three,
  ...comingDays,
  description: `${one}\n\n${two}`,
  place: four,
  welcome_note: one,
  capacity: 20,
  minimum_people: 6,
  shows_minimum: true,
  price_minor: 48_000,
  early_price_minor: 42_000,
  early_until_local: dayFromToday(20),
  currency: 'CAD',
  terms_url: 'https://example.org/terms',
  refund_note: two,
  second_teacher: peopleNames[1],
  second_teacher_line: three,
  meetings: [41, 55, 62].map((days, index) => ({
    title: courseNames[index],
    starts_local: `${dayFromToday(days)}T18:00`,
    duration_minutes: 90,
    public_line: four,
  })),
  days_off: [{ on_date: dayFromToday(48), reason: four }],
};

const later = { starts_on: dayFromToday(150), ends_on: dayFromToday(190) };
const roster = '/cohorts/[id]/roster';

/** Cohorts in their states, their sessions, and what their owner sees of people and writes to them. */
export const cohortViews: View[] = [
  ownerWithout('cohorts-empty', '/cohorts'),
  ownerWithout('new-cohort', '/cohorts/new', { until: '.cohort-preview' }),
  ownerWithout('new-cohort-table', '/cohorts/new', {
    isExample: true,
    act: chooseWeeks,
    until: '.session-sheet tbody tr',
  }),
  ownerWithout('new-cohort-pasted', '/cohorts/new', {
    isExample: true,
    isOverlay: true,
    act: pasteSyllabus,
    until: '.pasted tbody tr',
  }),
  // The last day is before the first.
  ownerWithout('new-cohort-mistakes', '/cohorts/new', {
    act: send('#new-cohort', { starts_on: comingDays.ends_on, ends_on: comingDays.starts_on }),
    until: mistake,
  }),
  ownerOfAll('cohorts', '/cohorts', { isExample: true }),
  // The part in which the link to the calendar is replaced or turned off.
  ownerOfAll('cohorts-calendar', '/cohorts', {
    act: (page) => page.locator('.calendar-links + details summary').click(),
  }),
  ownerOfAll('cohorts-archive', '/cohorts/archive'),
  ownerOfAll('cohorts-trash', '/cohorts/trash'),
  ownerOfAll('cohort-published', '/cohorts/[id]', { isExample: true }),
  ownerOfAll('cohort-settings-published', '/cohorts/[id]/settings'),
  ownerOfAll('cohort-move', '/cohorts/[id]/move', {
    act: send('#dates', { starts_on: dayFromToday(48) }),
    until: '.before-after',
  }),
  ownerOfAll('cohort-duplicate', '/cohorts/[id]/duplicate'),
  ownerOfAll('cohort-preview', '/cohorts/[id]/preview'),
  ownerOfAll('public-cohort', '/c/[slug]', { isLoggedOut: true }),
  ownerOfAll('cohort-draft', '/cohorts/[draft]'),
  ownerOfAll('cohort-trashed', '/cohorts/[trashed]'),
  ownerOfAll('course-open', '/c/[course]'),
  closed('course-closed', '/c/[slug]'),
  running('roster', roster, { isExample: true }),
  running('roster-menu', roster, {
    isExample: true,
    isOverlay: true,
    presses: ['[data-person]'],
    until: '#person-menu a',
  }),
  running('import', '/cohorts/[id]/import'),
  // Someone new, lines without a person, and a column that is left out.
  running('import-checked', '/cohorts/[id]/import', {
    isExample: true,
    act: checkList(
      'Name,Email,City',
      `${peopleNames[0]},anna@example.com,Paris`,
      `${peopleNames[1]},anna@example.com,`,
      `${peopleNames[1]},@,`,
    ),
  }),
  // A list that does not say what each column holds.
  running('import-asked', '/cohorts/[id]/import', {
    act: checkList(`1,${peopleNames[0]},anna@example.com`, `2,${peopleNames[1]},zoe@example.com`),
  }),
  running('person', '/cohorts/[id]/roster/[paid]', { isExample: true }),
  running('cohort-trash-dialog', '/cohorts/[id]', {
    ...{ isOverlay: true, act: show('#trash-cohort') },
  }),
  running('person-payments', '/cohorts/[id]/roster/[left]'),
  running('email-preview', '/cohorts/[id]/emails/[kind]'),
  running('message-shown', '/cohorts/[id]/message', {
    act: send('.cohort-form', { subject: peopleNames.join(), text: peopleNames.join('\n\n') }),
    until: '.planned',
  }),
  running('schedule', '/cohorts/[id]/schedule'),
  running('schedule-new', '/cohorts/[id]/schedule/new'),
  running('schedule-weekly-shown', '/cohorts/[id]/schedule/weekly', {
    act: send('.cohort-form', { title: one }),
    until: '.planned-list',
  }),
  running('schedule-all', '/cohorts/[id]/schedule/all', { until: '.session-sheet' }),
  running('meeting', '/cohorts/[id]/schedule/[meeting]'),
  running('home-session', '/'),
  running('emails-due', '/cohorts/[id]/emails', { until: '.slim-bar' }),
  running('attendance', '/cohorts/[id]/attendance'),
  running('certificate', '/cohorts/[id]/attestation/[enrollment]'),
  running('person-sessions', '/p/[link]'),
  running('own-certificate', '/p/certificate?token=[link]&place=[enrollment]', { isExample: true }),
  running('payments-accounts', '/payments?cohort=[id]', { isExample: true }),
  running('payments-selected', '/payments?cohort=[id]&show=owing', { act: selectTwo }),
  running('payments-gone', '/payments?cohort=[id]&show=gone'),
  running('account', '/payments/[id]/[part]'),
  today('cohort-day', '/cohorts/[id]', { until: '.who-is-here' }),
  today('home-day', '/', { until: '.session-day' }),
  // The price was set when people were already enrolled.
  today('payments-uncharged', '/payments?cohort=[id]'),
  full('roster-full', roster),
  full('waitlist', '/cohorts/[id]/waitlist'),
  // Sooner, so that the offer ends.
  full('cohort-move-offers', '/cohorts/[id]/move', {
    act: send('#dates', { starts_on: dayFromToday(1) }),
    until: '.before-after',
  }),
  full('enroll-waitlist', '/c/[slug]', publicPage),
  full('person-offer', '/p/[offered]'),
  full('person-transfer', '/cohorts/[later]/roster/[moving]', { until: '#person-transfer' }),
  full('roster-applied', '/cohorts/[asking]/roster?status=applied'),
  full('enroll-approval', '/c/[asked]', publicPage),
  full('person-asking', '/cohorts/[asking]/roster/[applied]'),
  full('person-applied', '/p/[link]'),
  // The worker's own page, in the place of one that could not be rendered.
  unreadable('failure-page', '/cohorts/[id]', {
    isExample: true,
    isFailure: true,
    before: (_page, { id = '' }) => setDays(id, 'x', 'y'),
    act: async (page, { id = '' }) => {
      await expect(page.locator('main small')).toBeVisible();
      await setDays(id, comingDays.starts_on, comingDays.ends_on);
    },
  }),
];

/** A course with a cohort in each state, and a calendar. */
async function makeList(page: Page): Promise<Made> {
  await makeCourse(page);
  const published = await makeCohort(page, details, 'publish');
  const opens = { enrollment_opens_local: `${dayFromToday(20)}T10:00` };
  for (const values of [
    { name: one, ...runningDays, capacity: 18 },
    { name: one, time_zone: 'Europe/Paris', ...opens },
    { name: three, capacity: 60, enrollment_closes_local: dayFromToday(-3) },
    { name: three, ...later, enrollment_opens_local: `${dayFromToday(100)}T09:00` },
    ...[one, two, three, four, one, two, three].map((name) => ({ name, ...pastDays })),
  ]) {
    await makeCohort(page, { ...comingDays, capacity: 12, ...values }, 'publish');
  }
  const closes = { ...opens, enrollment_closes_local: dayFromToday(30) };
  const draft = await makeCohort(page, { ...details, name: four, ...closes });
  await makeCohort(page, { name: two, ...pastDays }, 'publish', 'archive');
  // Someone has paid for it.
  const { people, ...trashed } = await cohortWith(page, [someone(0)], details);
  const path = `/api/cohorts/${trashed.id}/`;
  const paid = { kind: 'payment', enrollments: people.map(({ id }) => id), amount_minor: 42_000 };
  const received = { method: 'cash', received_on: '2026-10-20' };
  await askApi(page, 'POST', `${path}ledger/`, { ...paid, ...received });
  await askApi(page, 'DELETE', path, {});
  await askApi(page, 'POST', '/api/calendar-feed/');
  const course = slugOf({ public_url: await courseUrl(page) });
  return {
    id: published.id,
    slug: slugOf(published),
    draft: draft.id,
    trashed: trashed.id,
    course,
  };
}

/**
 * A running cohort that people pay for: some have paid all or a part, were refunded some of it,
 * need not pay, owe everything, have left with and without a refund, or were erased; one has
 * completed it, one is invited, and two have asked for a place. It has sessions over the next weeks,
 * one of them canceled, of which people are reminded, and a message on its way.
 */
async function makeRunning(page: Page): Promise<Made> {
  await makeCourse(page);
  // By name not the first row, whose menu is looked at, and would lack *Mark as completed*.
  const reader = someone(1);
  const { id, people, ...cohort } = await cohortWith(page, [0, 1, 0, 1, 0, 1, 0].map(someone), {
    ...runningDays,
    name: three,
    time_zone: 'Asia/Kathmandu',
    capacity: 7,
    price_minor: 48_000,
    currency: 'CAD',
    payment_note: `${one}\n${two}`,
    payment_url: 'https://pay.example/group',
  });
  const path = `/api/cohorts/${id}`;
  const received = { method: 'transfer', received_on: '2026-10-20' };
  const half = { ...received, amount_minor: 24_000, note: four };
  const enter = (kind: string, of: { id: string } | undefined, values: object = received) =>
    askApi(page, 'POST', `${path}/ledger/`, { kind, enrollments: [of?.id], ...values });
  const act = (of: { id: string } | undefined, action: string, values: object = {}) =>
    askApi(page, 'POST', `${path}/enrollments/${of?.id}/${action}/`, values);

  const [paid, part, waived, refunded, left, erased] = people;
  await enter('payment', part, half);
  await enter('waiver', waived, {});
  for (const each of [paid, refunded, left, erased]) {
    await enter('payment', each);
  }
  await act(refunded, 'remove');
  await enter('refund', refunded, { ...received, waive_rest: true });
  await act(left, 'remove');
  await askApi(page, 'DELETE', `/api/people/${erased?.person_id}/`);

  const own = await addPerson(page, { id }, { ...reader, over_capacity: true });
  await enter('payment', own, half);
  await enter('refund', own, { ...received, amount_minor: 4_000 });
  await act(own, 'complete', { before_end: true });
  await addPerson(page, { id }, { ...someone(0), as: 'invited', over_capacity: true });
  await askApi(page, 'PATCH', `${path}/`, { enrollment_override: 'open', capacity: 20 });
  await requestPlaces(page, cohort, [someone(0), someone(1)]);

  const first = { title: one, starts_local: `${dayFromToday(-9)}T18:00`, count: 5 };
  const meetings = await addMeetings(page, { id }, { ...first, join_url: meetingRoom });
  await askApi(page, 'DELETE', `${path}/meetings/${meetings[3]?.id}/`);
  // At the same time as another, and after the last day.
  for (const starts_local of [`${dayFromToday(5)}T18:30`, `${dayFromToday(30)}T09:00`]) {
    await addMeetings(page, { id }, { title: one, starts_local, count: 1 });
  }
  await askApi(page, 'PATCH', `${path}/emails/`, { hour_before_reminder: true });
  const message = { subject: peopleNames[0], text: peopleNames[1] };
  await askApi(page, 'POST', `${path}/messages/`, message);
  const link = await mailedPart(page, reader.email, '/p/');
  const [paidId = '', partId = '', leftId = ''] = [paid, part, left].map((each) => each?.id);
  const ids = { id, enrollment: own.id, paid: paidId, part: partId, left: leftId, kind: 'offer' };
  return { ...ids, meeting: meetings[4]?.id ?? '', link };
}

const meetingRoom = 'https://meet.example/room';

/** A cohort with a session that has begun, which costs something since people are in it. */
async function makeSessionOfNow(page: Page): Promise<Made> {
  await makeCourse(page);
  const cohort = await cohortWith(page, [someone(0), someone(1)], {
    ...runningDays,
    name: three,
    // UTC all year.
    time_zone: 'Africa/Abidjan',
    join_url: meetingRoom,
  });
  const begun = new Date(Date.now() - 600_000).toISOString();
  await addMeetings(page, cohort, { title: one, starts_local: begun.slice(0, 16), count: 3 });
  const price = { price_minor: 48_000, currency: 'CAD' };
  await askApi(page, 'PATCH', `/api/cohorts/${cohort.id}/`, price);
  return { id: cohort.id };
}

/** One person is offered a place, and two wait; and someone could move there from a later cohort. */
async function makeFull(page: Page): Promise<Made> {
  const waiting = someone(0);
  const after = await cohortWith(page, [someone(0)], { name: three, ...later });
  const inIt = [someone(0), someone(1), someone(0)];
  const { id, people, ...cohort } = await cohortWith(page, inIt, {
    ...details,
    capacity: 3,
    minimum_people: 2,
  });
  await enrollPeople(page, cohort, [waiting, someone(1), someone(0)]);
  await askApi(page, 'POST', `/api/cohorts/${id}/enrollments/${people[0]?.id}/remove/`, {});
  const offered = await mailedPart(page, waiting.email, '/p/', 3);
  const moving = after.people[0]?.id ?? '';
  return { id, slug: slugOf(cohort), offered, later: after.id, moving };
}

/** A cohort that three people have asked for a place in, with its question, for both sides. */
async function makeAsking(page: Page): Promise<Made> {
  // Longer than lists show, so that they cut it between words.
  const answer = [two, '', Array.from({ length: 30 }, () => three).join(' ')].join('\n');
  const asks = { join_mode: 'approval', question: one };
  const cohort = await makeCohort(page, { ...details, ...asks }, 'publish');
  const email = newEmail();
  await enrollPeople(page, cohort, [
    { ...someone(0), email, question: one, answer },
    { ...someone(1), question: one, answer },
    { ...someone(0), question: one, answer: '' },
  ]);
  return {
    asking: cohort.id,
    asked: slugOf(cohort),
    applied: await placeOf(page, cohort, email),
    link: await mailedPart(page, email, '/p/', 2),
  };
}

/** The sessions of three weeks, in their table. */
async function chooseWeeks(page: Page): Promise<void> {
  await untilReady(page);
  await page.locator('[name="starts_on"]').fill(comingDays.starts_on);
  await page.locator('[name="weeks"]').fill('3');
  await page.locator('.weekday-picker label').first().click();
}

/** Sessions, days without class, and a title that is too long. */
async function pasteSyllabus(page: Page): Promise<void> {
  await chooseWeeks(page);
  await page.locator('[commandfor="paste-syllabus"]').first().click();
  const lines = [`${two}. Reading: ${four}`, 'Week 2: winter holidays', three.repeat(9)];
  await page.locator('#paste-syllabus textarea').fill(lines.join('\n'));
}

function checkList(...lines: string[]) {
  return async (page: Page): Promise<void> => {
    await page.locator('textarea').fill(lines.join('\n'));
    await page.locator('.import [type=submit]').click();
    await page.locator('.import :is(.import-lines, [open])').waitFor();
  };
}

/** Until the page is hydrated, a checkbox changes nothing else. */
async function selectTwo(page: Page): Promise<void> {
  await untilReady(page);
  const boxes = page.locator('[data-account] input');
  await boxes.nth(0).check();
  await boxes.nth(1).check();
  await expect(page.locator('.accounts > .actions > .button-primary')).toBeVisible();
}

function setDays(cohortId: string, startsOn: string, endsOn: string): Promise<void> {
  const statement = 'UPDATE cohorts SET starts_on = ?, ends_on = ? WHERE id = ?';
  return writeRow(cohortId, statement, startsOn, endsOn);
}
