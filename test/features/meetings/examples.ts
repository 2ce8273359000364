import type { Examples } from '#support/examples.ts';

const days = { starts_on: '2027-03-01', ends_on: '2027-04-30', time_zone: 'Europe/Paris' };

export const examples: Examples = {
  'PATCH /api/courses/{course}/': { input: { course_type: 'cohort' }, makes: 'taughtCourse' },
  'POST /api/courses/{taughtCourse}/cohorts/': {
    input: { name: 'Live in spring', ...days },
    makes: 'taughtCohort',
    limit: 'cohorts_per_user',
  },
  'POST /api/cohorts/{taughtCohort}/meetings/': {
    input: {
      title: 'Reading aloud',
      starts_local: '2027-03-02T18:00',
      duration_minutes: 90,
      count: 8,
    },
    makes: 'meeting',
  },
  'GET /api/cohorts/{taughtCohort}/meetings/': {},
  'GET /api/cohorts/{taughtCohort}/schedule/': {},
  'PATCH /api/cohorts/{taughtCohort}/meetings/{meeting}/': {
    input: { title: 'Reading and listening', starts_local: '2027-03-03T18:30' },
  },
  'DELETE /api/cohorts/{taughtCohort}/meetings/{meeting}/': {},
  'PUT /api/cohorts/{taughtCohort}/schedule/': {
    input: {
      meetings: [{ title: 'Listening', starts_local: '2027-03-09T18:00', duration_minutes: 90 }],
      days_off: [{ on_date: '2027-03-16', reason: 'Holiday' }],
    },
  },
};
