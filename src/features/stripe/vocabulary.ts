import { msg } from '#i18n/msg.ts';
import { withStatus } from '#lib/vocabulary.ts';

export const errors = withStatus(503, {
  payment_unavailable: msg`We can’t reach Stripe at the moment. Nothing is lost, and a place that is kept for you stays kept. Please try again.`,
});
