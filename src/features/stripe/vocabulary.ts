import { msg } from '#i18n/msg.ts';
import type { Errors } from '#lib/vocabulary.ts';

export const errors = {
  payment_unavailable: {
    status: 503,
    text: msg`We can’t reach Stripe at the moment. Nothing is lost, and a place that is kept for you stays kept. Please try again.`,
  },
} satisfies Errors;
