import type { Examples } from '#support/examples.ts';

export const examples: Examples = {
  'GET /api/accounts/auth/user/': {},
  'GET /api/accounts/auth/sessions/': {},
};
