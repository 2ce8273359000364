import type { LimitRates } from '#lib/vocabulary.ts';

export const limits = {
  /** Previews that an instructor has sent to themselves. */
  previews_per_user: ['20/h'],
} as const satisfies LimitRates;

export const events = { preview_queued: true };
