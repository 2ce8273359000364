import type { Examples } from '#support/examples.ts';

const text = 'name,email\nHedy Lamarr,hedy.of.{account}@example.com\nBroken,nobody@';

export const examples: Examples = {
  'PATCH /api/courses/{course}/': { input: { course_type: 'cohort' }, makes: 'listCourse' },
  'POST /api/courses/{listCourse}/cohorts/': {
    input: {
      name: 'Writing in summer',
      starts_on: '2027-06-07',
      ends_on: '2027-07-16',
      time_zone: 'Europe/Paris',
      capacity: 20,
    },
    makes: 'listCohort',
  },
  'POST /api/cohorts/{listCohort}/imports/': {
    input: { text, as: 'invited', informed: true },
    status: 200,
  },
  'GET /api/cohorts/{listCohort}/roster.csv': {},
};
