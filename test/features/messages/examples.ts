import type { Examples } from '#support/examples.ts';

/** Far in the future, because no one is added to a cohort that is over. */
const days = { starts_on: '2037-01-05', ends_on: '2037-02-13', time_zone: 'Europe/Paris' };
const message = { subject: 'Bring chairs', text: 'And a pen.' };

export const examples: Examples = {
  'PATCH /api/courses/{course}/': { input: { course_type: 'cohort' }, makes: 'writingCourse' },
  'POST /api/courses/{writingCourse}/cohorts/': {
    input: { name: 'Writing in spring', ...days },
    makes: 'writing',
  },
  'POST /api/cohorts/{writing}/publish/': { status: 200, makes: 'publishedWriting' },
  'POST /api/cohorts/{writing}/enrollments/': {
    input: { as: 'enrolled', name: 'Grace Hopper', email: 'reader.of.{account}@example.com' },
    makes: 'reader',
  },
  'POST /api/cohorts/{writing}/messages/': {
    input: message,
    status: 202,
    limit: 'messages_per_cohort',
  },
  'POST /api/cohorts/{writing}/meetings/': {
    input: { title: 'First draft', starts_local: '2037-01-06T18:00', duration_minutes: 90 },
    makes: 'draftMeeting',
  },
  'POST /api/cohorts/{writing}/announcements/': { input: {}, status: 202 },
  'POST /api/cohorts/{writing}/announcements/dismiss/': { input: {}, status: 204 },
};
