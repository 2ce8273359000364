import { msg } from '#i18n/msg.ts';
import type { Errors } from '#lib/vocabulary.ts';

export const errors = {
  payment_unavailable: {
    status: 503,
    text: msg`We can’t reach the payment page. Nothing was charged, and a place that is kept for you stays kept. Please try again.`,
  },
} satisfies Errors;
