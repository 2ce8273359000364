import type { Page } from '@playwright/test';
import { named } from './cohort-views.ts';
import { dayFromToday, runningDays } from './cohorts.ts';
import { cohortWith } from './enrollments.ts';
import { addMeetings } from './meetings.ts';
import { partAfter } from './participant-views.ts';
import { clientOf, courseNames, makeCourse, peopleNames, someone } from './people.ts';
import { askApi } from './support.ts';
import { opener, type View, viewsOf } from './view.ts';

const meeting = viewsOf('the owner of a cohort with sessions', (page) => makeSessions(page, 5));

const meetingLong = viewsOf('the owner of a cohort with many sessions', (page) =>
  makeSessions(page, 30),
);

/**
 * Live sessions in their states, for instructors and for participants, the emails about them, and
 * what is printed.
 */
export const meetingViews: View[] = [
  meeting('schedule', '/cohorts/[id]/schedule'),
  meeting('announce-changes', '/cohorts/[id]/schedule', {
    isForNights: true,
    act: (page) => page.locator('#announcement-note').fill(peopleNames[1] ?? ''),
  }),
  meeting('schedule-new', '/cohorts/[id]/schedule/new'),
  meeting('schedule-new-mistakes', '/cohorts/[id]/schedule/new', {
    isForNights: true,
    act: makeThreeMistakes,
    until: '.cohort-form [aria-invalid="true"]',
  }),
  meeting('schedule-weekly', '/cohorts/[id]/schedule/weekly', { isForNights: true }),
  meeting('schedule-weekly-shown', '/cohorts/[id]/schedule/weekly', {
    act: plan,
    until: '.planned-list',
  }),
  meeting('meeting', '/cohorts/[id]/schedule/[meeting]'),
  meeting('meeting-cancel', '/cohorts/[id]/schedule/[meeting]', {
    isOverlay: true,
    presses: [opener('cancel-meeting')],
  }),
  meeting('cohort-with-sessions', '/cohorts/[id]', { isForNights: true }),
  meeting('home-session', '/'),
  meeting('emails-due', '/cohorts/[id]/emails', { until: '.announce' }),
  meeting('cohort-move-sessions', '/cohorts/[id]/move', {
    isForNights: true,
    act: planMove,
    until: '.before-after',
  }),
  meeting('public-sessions', '/c/[slug]', { isForNights: true }),
  meeting('person-sessions', '/p/[link]'),
  meeting('attendance', '/cohorts/[id]/attendance'),
  meeting('attestation', '/cohorts/[id]/attestation/[enrollment]'),
  // For a reader whose clocks change, beside those of Kathmandu, which do not.
  meetingLong('schedule-own-clocks', '/cohorts/[id]/schedule', {
    isForNights: true,
    before: async (page) => {
      const session = await page.context().newCDPSession(page);
      await session.send('Emulation.setTimezoneOverride', { timezoneId: 'America/Toronto' });
    },
    until: '.own-clock-change',
  }),
];

/**
 * A running cohort with sessions over the next weeks, one of them canceled, of which people are
 * reminded, and with a message on its way.
 */
async function makeSessions(page: Page, count: number) {
  await makeCourse(page);
  const person = someone(0);
  const cohort = await cohortWith(page, [person], {
    ...runningDays,
    name: courseNames[2] ?? '',
    time_zone: 'Asia/Kathmandu',
  });
  const path = `/api/cohorts/${cohort.id}`;
  const title = courseNames[0] ?? '';
  const first = { title, starts_local: `${dayFromToday(-9)}T18:00`, count };
  const join_url = 'https://meet.example/room';
  const meetings = await addMeetings(page, cohort, { ...first, join_url });
  await askApi(page, 'DELETE', `${path}/meetings/${meetings[3]?.id}/`);
  // At the same time as another, and after the last day.
  for (const starts_local of [`${dayFromToday(5)}T18:30`, `${dayFromToday(30)}T09:00`]) {
    await addMeetings(page, cohort, { title, starts_local, count: 1 });
  }
  const [enrollment = { id: '' }] = cohort.people;
  await askApi(page, 'POST', `${path}/enrollments/${enrollment.id}/complete/`);
  await askApi(page, 'PATCH', `${path}/emails/`, { hour_before_reminder: true });
  const message = { subject: peopleNames[0], text: peopleNames[1] };
  await askApi(page, 'POST', `${path}/messages/`, message);
  const { text } = await (await clientOf(page)).mailTo(person.email, '/p/');
  return {
    ...named(cohort),
    enrollment: enrollment.id,
    meeting: meetings[4]?.id ?? '',
    link: partAfter('/p/', text),
  };
}

async function makeThreeMistakes(page: Page): Promise<void> {
  await page.locator('[name="starts_time"]').fill('');
  await page.locator('[name="duration_minutes"]').fill('3');
  await page.locator('[name="join_url"]').fill('meet');
  await page.locator('.cohort-form [type="submit"]').click();
}

async function plan(page: Page): Promise<void> {
  await page.locator('[name="title"]').fill(courseNames[0] ?? '');
  await page.locator('.cohort-form [type="submit"]').click();
}

async function planMove(page: Page): Promise<void> {
  await page.locator('[name="ends_on"]').fill(dayFromToday(40));
  await page.locator('[name="starts_on"]').fill(dayFromToday(-16));
  await page.locator('#dates form [type="submit"]').click();
}
