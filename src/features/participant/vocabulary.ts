import { msg } from '#i18n/msg.ts';
import { type LimitRates, withStatus } from '#lib/vocabulary.ts';

export const errors = withStatus(422, {
  offer_expired: msg`This offer has expired. You can join the waitlist again.`,
});

export const limits = {
  /** What people do by their links, from one client network. */
  participation_per_ip: ['60/m'],
  /** Links to what is kept of one person. */
  data_links_per_person: ['5/h'],
} as const satisfies LimitRates;
