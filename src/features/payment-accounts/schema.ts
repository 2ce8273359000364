import * as z from 'zod/mini';
import { rule } from '#lib/validation-rule.ts';

const accountStatuses = ['off', 'none', 'unfinished', 'ready', 'paused'] as const;
/**
 * off: this Lectern takes no online payments. none: not connected. unfinished: Stripe still needs
 * something before people can pay. paused: people could pay, and Stripe has stopped that.
 */
export type AccountStatus = (typeof accountStatuses)[number];

/** Where the instructor lives or is registered; Stripe cannot change it later. */
export const AccountInput = z.strictObject({
  country: z.string().check(
    z.toUpperCase(),
    rule('country_required', (typed) => /^[A-Z]{2}$/.test(typed)),
  ),
});
export type AccountInput = z.output<typeof AccountInput>;

/** A caller's account at Stripe. */
export const PaymentAccount = z.object({
  status: z.enum(accountStatuses),
  is_operators: z
    .boolean()
    .check(z.describe('Whether payments go to the account of the operator, who has arranged that')),
  country: z.nullable(z.string()),
  account_hint: z.nullable(z.string()).check(z.describe('The last characters of Stripe’s id')),
  missing: z.array(z.string()).check(z.describe('What Stripe still needs, by its own codes')),
  connected_at: z.nullable(z.iso.datetime()),
});
export type PaymentAccount = z.infer<typeof PaymentAccount>;

/** The page at Stripe to go to, which works once. */
export const AccountLink = z.object({ redirect_to: z.url() });
export type AccountLink = z.infer<typeof AccountLink>;
