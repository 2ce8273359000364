import { stripeUnitsIn } from '#lib/payable-amounts.ts';

/** An amount of ours in the units of Stripe, which may have other digits than those of Intl. */
export function toStripeAmount(minor: number, currency: string): number {
  return minor * stripeUnitsIn(currency);
}

/** An amount of Stripe in the smallest unit as the accounts have it, rounded if it has to be. */
export function fromStripeAmount(amount: number, currency: string): number {
  return Math.round(amount / stripeUnitsIn(currency));
}
