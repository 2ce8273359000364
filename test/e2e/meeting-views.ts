import type { Page } from '@playwright/test';
import { named } from './cohort-views.ts';
import { dayFromToday, runningDays } from './cohorts.ts';
import { cohortWith } from './enrollments.ts';
import { addMeetings } from './meetings.ts';
import { partAfter } from './participant-views.ts';
import { clientOf, courseNames, makeCourse, peopleNames, someone } from './people.ts';
import { askApi } from './support.ts';
import { opener, type View, viewsOf } from './view.ts';

const meeting = viewsOf('the owner of a cohort with sessions', makeSessions);

const today = viewsOf('the owner of a cohort that meets now', makeSessionOfNow);

/**
 * Live sessions in their states, for instructors and for participants, the emails about them, and
 * what is printed.
 */
export const meetingViews: View[] = [
  meeting('schedule', '/cohorts/[id]/schedule'),
  meeting('schedule-new', '/cohorts/[id]/schedule/new'),
  meeting('schedule-weekly-shown', '/cohorts/[id]/schedule/weekly', {
    act: plan,
    until: '.planned-list',
  }),
  meeting('schedule-all', '/cohorts/[id]/schedule/all', { until: '.session-sheet' }),
  meeting('meeting', '/cohorts/[id]/schedule/[meeting]'),
  meeting('meeting-cancel', '/cohorts/[id]/schedule/[meeting]', {
    isOverlay: true,
    presses: [opener('cancel-meeting')],
  }),
  meeting('home-session', '/'),
  meeting('emails-due', '/cohorts/[id]/emails', { until: '.slim-bar' }),
  meeting('person-sessions', '/p/[link]'),
  meeting('attendance', '/cohorts/[id]/attendance'),
  meeting('certificate', '/cohorts/[id]/attestation/[enrollment]'),
  meeting('own-certificate', '/p/certificate?token=[link]&place=[enrollment]', { isExample: true }),
  today('cohort-day', '/cohorts/[id]', { until: '.who-is-here' }),
  today('home-day', '/', { until: '.session-day' }),
];

/**
 * A running cohort with sessions over the next weeks, one of them canceled, of which people are
 * reminded, and with a message on its way.
 */
async function makeSessions(page: Page) {
  await makeCourse(page);
  const person = someone(0);
  const cohort = await cohortWith(page, [person], {
    ...runningDays,
    name: courseNames[2] ?? '',
    time_zone: 'Asia/Kathmandu',
  });
  const path = `/api/cohorts/${cohort.id}`;
  const title = courseNames[0] ?? '';
  const first = { title, starts_local: `${dayFromToday(-9)}T18:00`, count: 5 };
  const join_url = 'https://meet.example/room';
  const meetings = await addMeetings(page, cohort, { ...first, join_url });
  await askApi(page, 'DELETE', `${path}/meetings/${meetings[3]?.id}/`);
  // At the same time as another, and after the last day.
  for (const starts_local of [`${dayFromToday(5)}T18:30`, `${dayFromToday(30)}T09:00`]) {
    await addMeetings(page, cohort, { title, starts_local, count: 1 });
  }
  const [enrollment = { id: '' }] = cohort.people;
  await askApi(page, 'POST', `${path}/enrollments/${enrollment.id}/complete/`, {
    before_end: true,
  });
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

/** A cohort that people pay for, with a session that has begun. */
async function makeSessionOfNow(page: Page) {
  await makeCourse(page);
  const cohort = await cohortWith(page, [someone(0), someone(1)], {
    ...runningDays,
    name: courseNames[2] ?? '',
    // UTC all year.
    time_zone: 'Africa/Abidjan',
    join_url: 'https://meet.example/room',
    price_minor: 48_000,
    currency: 'CAD',
  });
  const begun = new Date(Date.now() - 600_000).toISOString();
  const title = courseNames[0] ?? '';
  await addMeetings(page, cohort, { title, starts_local: begun.slice(0, 16), count: 3 });
  return named(cohort);
}

async function plan(page: Page): Promise<void> {
  await page.locator('[name="title"]').fill(courseNames[0] ?? '');
  await page.locator('.cohort-form [type="submit"]').click();
}
