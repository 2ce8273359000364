import type { Examples } from '#support/examples.ts';

const names = { first_name: 'Grace', last_name: 'Hopper' };

export const examples: Examples = {
  'GET /api/accounts/': {},
  'GET /api/accounts/{account}/': {},
  'GET /api/accounts/{account}/export/': { limit: 'exports_per_user' },
  'GET /api/accounts/auth/user/': {},
  'GET /api/accounts/auth/sessions/': {},
  'PATCH /api/accounts/{account}/': { input: { first_name: 'Rear Admiral' } },
  'PUT /api/accounts/{account}/': { input: { ...names, language: 'fr', email: '{email}' } },
};
