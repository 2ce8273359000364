import type { Examples } from '#support/examples.ts';

export const examples: Examples = {
  'POST /api/courses/{course}/enrollment/': { makes: 'run' },
  'GET /api/cohorts/{run}/': {},
  'PATCH /api/cohorts/{run}/': { input: { capacity: 20, enrollment_override: null } },
};
