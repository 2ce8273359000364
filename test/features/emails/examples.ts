import type { Examples } from '#support/examples.ts';

const days = { starts_on: '2027-01-04', ends_on: '2027-02-12', time_zone: 'Europe/Paris' };

export const examples: Examples = {
  'PATCH /api/courses/{course}/': { input: { course_type: 'cohort' }, makes: 'mailingCourse' },
  'POST /api/courses/{mailingCourse}/cohorts/': {
    input: { name: 'Writing in spring', ...days },
    makes: 'mailing',
  },
  'GET /api/cohorts/{mailing}/emails/': {},
  'PATCH /api/cohorts/{mailing}/emails/': { input: { invitation_reminder: false } },
  'GET /api/cohorts/{mailing}/emails/enrolled/': {},
  'POST /api/cohorts/{mailing}/emails/enrolled/send/': { status: 202, limit: 'previews_per_user' },
};
