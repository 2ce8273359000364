import type { Page } from '@playwright/test';
import { dayFromToday, runningDays } from './cohorts.ts';
import { cohortWith } from './enrollments.ts';
import { addMeetings } from './meetings.ts';
import { clientOf, courseNames, newEmail, person } from './people.ts';
import { askApi } from './support.ts';
import type { View } from './views.ts';

/** Live sessions in their states, for instructors and for participants, and what is printed. */
export const meetingViews: View[] = [
  { name: 'schedule', open: (page) => openSchedule(page, '/schedule') },
  { name: 'schedule-own-clocks', open: openOwnClocks },
  { name: 'schedule-empty', open: openEmpty },
  { name: 'schedule-new', open: (page) => openSchedule(page, '/schedule/new') },
  { name: 'schedule-new-mistakes', open: openMistakes },
  { name: 'schedule-weekly', open: (page) => openSchedule(page, '/schedule/weekly') },
  { name: 'schedule-weekly-shown', open: openPlanned },
  { name: 'meeting', open: openMeeting },
  { name: 'meeting-cancel', isOverlay: true, open: openCancel },
  { name: 'cohort-with-sessions', open: (page) => openSchedule(page, '') },
  { name: 'home-session', open: openHome },
  { name: 'cohort-move-sessions', open: openMove },
  { name: 'public-sessions', open: openPublic },
  { name: 'person-sessions', open: openPerson },
  { name: 'attendance', open: (page) => openSchedule(page, '/attendance') },
  { name: 'attestation', open: openAttestation },
];

const name = `${person.first_name} ${person.last_name}`;

/** A running cohort of a new user, with sessions over the next weeks: one is canceled. */
async function makeCohort(page: Page, count = 5) {
  await (await clientOf(page)).signUp(newEmail());
  await askApi(page, 'POST', '/api/courses/', { name: courseNames[1], course_type: 'cohort' });
  const email = newEmail();
  const cohort = await cohortWith(page, [{ name, email }], {
    ...runningDays,
    name: courseNames[2] ?? '',
    time_zone: 'Asia/Kathmandu',
  });
  const title = courseNames[0] ?? '';
  const first = { title, starts_local: `${dayFromToday(-9)}T18:00`, count };
  const meetings = await addMeetings(page, cohort, {
    ...first,
    join_url: 'https://meet.example/room',
  });
  await askApi(page, 'DELETE', `/api/cohorts/${cohort.id}/meetings/${meetings[3]?.id}/`);
  // At the same time as another, and after the last day.
  await addMeetings(page, cohort, { ...first, starts_local: `${dayFromToday(5)}T18:30`, count: 1 });
  await addMeetings(page, cohort, {
    ...first,
    starts_local: `${dayFromToday(30)}T09:00`,
    count: 1,
  });
  return { ...cohort, email, meetings };
}

async function openSchedule(page: Page, path: string): Promise<void> {
  const { id } = await makeCohort(page);
  await page.goto(`/cohorts/${id}${path}`);
}

/** For a reader whose clocks change, beside those of Kathmandu, which do not. */
async function openOwnClocks(page: Page): Promise<void> {
  const { id } = await makeCohort(page, 30);
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setTimezoneOverride', { timezoneId: 'America/Toronto' });
  await page.goto(`/cohorts/${id}/schedule`);
  await page.locator('.own-clock-change').first().waitFor();
}

async function openEmpty(page: Page): Promise<void> {
  await (await clientOf(page)).signUp(newEmail());
  await askApi(page, 'POST', '/api/courses/', { name: courseNames[1], course_type: 'cohort' });
  const { id } = await cohortWith(page, [], { name: courseNames[2] ?? '' });
  await page.goto(`/cohorts/${id}/schedule`);
}

async function openMistakes(page: Page): Promise<void> {
  await openSchedule(page, '/schedule/new');
  await page.locator('[name="starts_time"]').fill('');
  await page.locator('[name="duration_minutes"]').fill('3');
  await page.locator('[name="join_url"]').fill('meet');
  await page.locator('.cohort-form [type="submit"]').click();
  await page.locator('.cohort-form [aria-invalid="true"]').first().waitFor();
}

async function openPlanned(page: Page): Promise<void> {
  await openSchedule(page, '/schedule/weekly');
  await page.locator('[name="title"]').fill(courseNames[0] ?? '');
  await page.locator('.cohort-form [type="submit"]').click();
  await page.locator('.planned-list').waitFor();
}

async function openMeeting(page: Page): Promise<void> {
  const { id, meetings } = await makeCohort(page);
  await page.goto(`/cohorts/${id}/schedule/${meetings[4]?.id}`);
}

async function openCancel(page: Page): Promise<void> {
  await openMeeting(page);
  await page.locator('[commandfor="cancel-meeting"][command="show-modal"]').click();
}

async function openHome(page: Page): Promise<void> {
  await makeCohort(page);
  await page.goto('/');
}

async function openMove(page: Page): Promise<void> {
  const { id } = await makeCohort(page);
  await page.goto(`/cohorts/${id}/move`);
  await page.locator('[name="ends_on"]').fill(dayFromToday(40));
  await page.locator('[name="starts_on"]').fill(dayFromToday(-16));
  await page.locator('#dates form [type="submit"]').click();
  await page.locator('.before-after').first().waitFor();
}

async function openPublic(page: Page): Promise<void> {
  const { public_url: url } = await makeCohort(page);
  await page.goto(new URL(url).pathname);
}

async function openPerson(page: Page): Promise<void> {
  const { email } = await makeCohort(page);
  const client = await clientOf(page);
  const { text } = await client.mailTo(email, '/p/');
  await page.goto(/\/p\/[\w.-]+/.exec(text)?.[0] ?? '');
}

async function openAttestation(page: Page): Promise<void> {
  const { id, people } = await makeCohort(page);
  await askApi(page, 'POST', `/api/cohorts/${id}/enrollments/${people[0]?.id}/complete/`);
  await page.goto(`/cohorts/${id}/attestation/${people[0]?.id}`);
}
