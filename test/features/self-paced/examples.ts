import type { Examples } from '#support/examples.ts';

export const examples: Examples = {
  'POST /api/courses/{course}/enrollment/': { makes: 'run' },
};
