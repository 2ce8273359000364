import { ownRows } from '#db/personal-data.ts';
import { paymentAccounts } from '#db/schema/checkouts.ts';
import { msg } from '#i18n/msg.ts';
import { type LimitRates, type ValidationTexts, withStatus } from '#lib/vocabulary.ts';

export const errors = withStatus(422, {
  country_refused: msg`Stripe can’t open an account there. Please choose the country in which you live or are registered.`,
  payment_account_required: msg`Connect a Stripe account first.`,
  price_not_payable: msg`Stripe takes payments between {least} and {most}. Please change the price, or how people pay.`,
  payments_paused: msg`No one can pay you online at the moment, so no place that has to be paid first can be offered. Your settings say what Stripe needs.`,
});

export const validation = {
  country_required: msg`Please choose a country`,
} satisfies ValidationTexts;

export const limits = {
  /** Steps to connect an account at Stripe. */
  onboarding_per_user: ['10/h'],
  account_checks_per_user: ['60/h'],
} as const satisfies LimitRates;

export const events = {
  payment_account_connected: true,
  payment_account_changed: true,
  payment_account_disconnected: true,
};

export const exported = {
  payment_accounts: ownRows(paymentAccounts),
};
