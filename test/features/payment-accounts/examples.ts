import type { Examples } from '#support/examples.ts';

const path = '/api/payment-account/';

export const examples: Examples = {
  [`GET ${path}`]: {},
  [`POST ${path}`]: { input: { country: 'FR' } },
  [`POST ${path}check/`]: { status: 204, limit: 'account_checks_per_user' },
};
