import type { Examples } from '#support/examples.ts';

export const examples: Examples = {
  'POST /api/calendar-feed/': {},
  'GET /api/calendar-feed/': {},
  'DELETE /api/calendar-feed/': {},
};
