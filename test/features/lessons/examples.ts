import type { Examples } from '#support/examples.ts';

const document = {
  type: 'doc',
  content: [{ type: 'paragraph', content: [{ type: 'text', text: 'Nobody asks.' }] }],
};
const written = { title: 'Said is enough', document };

export const examples: Examples = {
  'POST /api/courses/{course}/sections/': { input: { title: 'Dialogue' }, makes: 'section' },
  'PATCH /api/sections/{section}/': { input: { title: 'Dialogues', release_days: 7 } },
  'POST /api/sections/{section}/move/': { input: { before: null }, status: 200 },
  'POST /api/sections/{section}/lessons/': {
    input: written,
    makes: 'lesson',
    limit: 'lessons_per_user',
  },
  'POST /api/courses/{course}/lessons/': { input: { title: 'Scenes' } },
  'POST /api/courses/{course}/duplicate/': {
    input: { name: 'Biology 102', course_type: 'cohort' },
    limit: 'course_copies_per_user',
  },
  'GET /api/courses/{course}/content/': {},
  'GET /api/lessons/{lesson}/': {},
  'PATCH /api/lessons/{lesson}/': { input: { minutes: 12 } },
  'POST /api/lessons/{lesson}/publish/': {
    input: { draft_version: 0 },
    status: 200,
    makes: 'publishedLesson',
  },
  'PUT /api/lessons/{lesson}/draft/': {
    input: { ...written, title: 'Said', based_on: 0 },
    limit: 'lesson_saves_per_user',
  },
  'GET /api/lessons/{lesson}/versions/': { makes: 'version' },
  'GET /api/lessons/{lesson}/versions/{version}/': {},
  'POST /api/lessons/{lesson}/versions/{version}/restore/': { status: 200 },
  'POST /api/lessons/{lesson}/move/': {
    input: { section_id: '{section}', before: null },
    status: 200,
  },
  'POST /api/lessons/{lesson}/duplicate/': {},
  'POST /api/lessons/{lesson}/unpublish/': { status: 200 },
  'DELETE /api/lessons/{lesson}/': {},
  'POST /api/lessons/{lesson}/restore/': { status: 200 },
  'PATCH /api/courses/{course}/': { input: { course_type: 'cohort' }, makes: 'readCourse' },
  'POST /api/courses/{readCourse}/cohorts/': {
    input: {
      name: 'Read in spring',
      starts_on: '2027-03-01',
      ends_on: '2027-04-30',
      time_zone: 'Europe/Paris',
    },
    makes: 'readCohort',
  },
  'PUT /api/cohorts/{readCohort}/sections/{section}/': {
    input: { mode: 'date', opens_local: '2027-03-08' },
  },
  'GET /api/cohorts/{readCohort}/sections/': {},
  'DELETE /api/cohorts/{readCohort}/sections/{section}/': {},
  'POST /api/courses/{otherCourse}/sections/': { input: { title: 'Last' }, makes: 'lastSection' },
  'DELETE /api/sections/{lastSection}/': {},
};
