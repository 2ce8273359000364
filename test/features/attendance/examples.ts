import type { Examples } from '#support/examples.ts';

/** Running, because only then can someone have attended it. */
const days = { starts_on: '2026-01-05', ends_on: '2027-12-30', time_zone: 'Europe/Paris' };
const session = '/api/cohorts/{attendedCohort}/meetings/{attendedMeeting}/marks/';

export const examples: Examples = {
  'PATCH /api/courses/{course}/': { input: { course_type: 'cohort' }, makes: 'attendedCourse' },
  'POST /api/courses/{attendedCourse}/cohorts/': {
    input: { name: 'Writing all year', ...days },
    makes: 'attendedCohort',
  },
  'POST /api/cohorts/{attendedCohort}/publish/': { status: 200 },
  'POST /api/cohorts/{attendedCohort}/meetings/': {
    input: { title: 'Reading', starts_local: '2026-01-06T18:00', duration_minutes: 90 },
    makes: 'attendedMeeting',
  },
  'POST /api/cohorts/{attendedCohort}/enrollments/': {
    input: { as: 'enrolled', name: 'Ada', language: 'en', email: 'att.of.{account}@example.com' },
    makes: 'attendee',
  },
  [`PUT ${session}`]: { input: { marks: [{ enrollment_id: '{attendee}', is_present: true }] } },
  [`GET ${session}`]: {},
  'GET /api/cohorts/{attendedCohort}/attendance/': {},
  'GET /api/cohorts/{attendedCohort}/attendance.csv': {},
  'POST /api/cohorts/{attendedCohort}/completions/': {
    input: { at_least: 1, before_end: true },
    status: 200,
  },
  'POST /api/cohorts/{attendedCohort}/learning/completions/': {
    input: { before_end: true },
    status: 200,
  },
};
