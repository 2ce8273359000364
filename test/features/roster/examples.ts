import type { Examples } from '#support/examples.ts';

/** Running, because only then can someone have completed it. */
const days = { starts_on: '2026-01-05', ends_on: '2027-12-30', time_zone: 'Europe/Paris' };
const person = { name: 'Grace Hopper', language: 'en' };
const enrollment = '/api/cohorts/{group}/enrollments/{guest}/';

export const examples: Examples = {
  'PATCH /api/courses/{course}/': { input: { course_type: 'cohort' }, makes: 'groupCourse' },
  'POST /api/courses/{groupCourse}/cohorts/': {
    input: { name: 'Writing in spring', ...days, capacity: 20 },
    makes: 'group',
  },
  'POST /api/cohorts/{group}/publish/': { status: 200 },
  'POST /api/cohorts/{group}/enrollments/': {
    input: { as: 'enrolled', ...person, email: 'grace.of.{account}@example.com' },
    makes: 'guest',
    makesPerson: 'guestPerson',
  },
  'GET /api/cohorts/{group}/enrollments/': {},
  'GET /api/cohorts/{group}/learning/': {},
  [`GET ${enrollment}`]: {},
  [`POST ${enrollment}accept/`]: { input: {}, status: 200 },
  [`POST ${enrollment}offer/`]: { input: {}, status: 200 },
  [`POST ${enrollment}complete/`]: { input: { before_end: true }, status: 200 },
  [`POST ${enrollment}uncomplete/`]: { status: 200 },
  [`POST ${enrollment}resend/`]: { status: 204 },
  'GET /api/cohorts/{group}/waitlist/': {},
  'GET /api/cohorts/{group}/requests/': {},
  'GET /api/cohorts/{group}/addresses/': {},
  'PATCH /api/people/{guestPerson}/': { input: { note: 'Sits in front' } },
  'POST /api/people/{guestPerson}/link/': { status: 204 },
  'POST /api/cohorts/{group}/duplicate/': {
    input: { name: 'Writing in summer', starts_on: '2027-06-07' },
    makes: 'nextGroup',
  },
  'POST /api/cohorts/{nextGroup}/enrollments/': {
    input: { as: 'enrolled', ...person, email: 'ada.of.{account}@example.com' },
    makes: 'nextGuest',
  },
  'POST /api/cohorts/{nextGroup}/enrollments/{nextGuest}/transfer/': {
    input: { cohort_id: '{group}' },
    status: 200,
  },
  'POST /api/cohorts/{group}/enrollments/approve/': {
    input: { enrollments: ['{guest}'] },
    status: 200,
  },
  'POST /api/cohorts/{group}/enrollments/refuse/': {
    input: { enrollments: ['{guest}'], notify: false },
    status: 200,
  },
  [`POST ${enrollment}remove/`]: { input: { notify: false }, status: 200 },
  'POST /api/cohorts/{group}/enrollments/remove/': {
    input: { enrollments: ['{guest}'], notify: false },
    status: 200,
  },
};
