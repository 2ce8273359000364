import type { CountedFor } from '#db/personal-data.ts';
import type { LimitRates } from '#lib/vocabulary.ts';

export const limits = {
  /** Previews that an instructor has sent to themselves. */
  previews_per_user: ['20/h'],
} as const satisfies LimitRates;

export const countedFor = {
  previews_per_user: ({ id }) => [id],
} satisfies Record<string, CountedFor>;

export const events = { preview_queued: true };
