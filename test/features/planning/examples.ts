import type { Examples } from '#support/examples.ts';

const days = { starts_on: '2027-01-04', ends_on: '2027-02-12', time_zone: 'Europe/Paris' };
const window = { enrollment_opens_local: null, enrollment_closes_local: null };

export const examples: Examples = {
  'PATCH /api/courses/{course}/': { input: { course_type: 'cohort' }, makes: 'cohortCourse' },
  'POST /api/courses/{cohortCourse}/cohorts/': {
    input: { name: 'Writing in spring', ...days },
    makes: 'cohort',
    limit: 'cohorts_per_user',
  },
  'GET /api/courses/{cohortCourse}/cohorts/': {},
  'GET /api/cohorts/{cohort}/': {},
  'PATCH /api/cohorts/{cohort}/': { input: { capacity: 20, ends_on: days.ends_on } },
  'POST /api/cohorts/{cohort}/duplicate/': {
    input: { name: 'Writing in summer', starts_on: '2027-06-07' },
    makes: 'copy',
  },
  'POST /api/cohorts/{cohort}/publish/': { status: 200 },
  'POST /api/cohorts/{cohort}/move/': {
    input: { ...days, ends_on: '2027-02-19', expected: { ...days, ...window } },
    status: 200,
  },
  'POST /api/cohorts/{cohort}/unpublish/': { status: 200 },
  'POST /api/cohorts/{cohort}/archive/': { input: { notify: true }, status: 200 },
  'POST /api/cohorts/{cohort}/unarchive/': { status: 200 },
  'DELETE /api/cohorts/{copy}/': { makes: 'trashed' },
  'POST /api/cohorts/{cohort}/restore/': { status: 200 },
  'POST /api/cohorts/{trashed}/money/': { input: { money: 'keep' }, status: 204 },
  'POST /api/cohorts/{trashed}/purge/': { status: 204 },
};
