import 'server-only';
import * as z from 'zod/mini';
import { AppError } from '#lib/app-error.ts';
import { askStripe, type StripeContext, StripeRefusal } from './open-stripe.ts';

/**
 * Accounts of instructors at Stripe, by its Accounts v2, which it recommends to new platforms. All
 * that is known of v2 is in this file; see docs/decisions/0092-paid-online.md.
 */
const include = ['configuration.merchant', 'identity', 'requirements'] as const;

/** What a v2 account says, as far as we ask. */
const Account = z.pipe(
  z.object({
    id: z.string().check(z.regex(/^acct_\w+$/)),
    object: z.literal('v2.core.account'),
    configuration: z.nullish(
      z.object({
        merchant: z.nullish(
          z.object({
            capabilities: z.nullish(
              z.object({ card_payments: z.nullish(z.object({ status: z.string() })) }),
            ),
          }),
        ),
      }),
    ),
    identity: z.nullish(z.object({ country: z.nullish(z.string()) })),
    requirements: z.nullish(
      z.object({
        entries: z.nullish(
          z.array(
            z.object({
              awaiting_action_from: z.string(),
              description: z.string(),
              minimum_deadline: z.object({ status: z.string() }),
            }),
          ),
        ),
      }),
    ),
  }),
  z.transform(({ id, configuration, identity, requirements }) => ({
    id,
    country: identity?.country?.toUpperCase() ?? null,
    /** Whether people can pay. */
    isReady: configuration?.merchant?.capabilities?.card_payments?.status === 'active',
    /** What Stripe wants of its owner now, by Stripe's names such as `identity.individual.dob`. */
    due: (requirements?.entries ?? [])
      .filter(
        ({ awaiting_action_from: from, minimum_deadline: deadline }) =>
          from === 'user' && ['currently_due', 'past_due'].includes(deadline.status),
      )
      .map(({ description }) => description.slice(0, 100))
      .slice(0, 20),
  })),
);
export type Account = z.output<typeof Account>;

const AccountLink = z.object({ object: z.literal('v2.core.account_link'), url: z.url() });

type NewAccount = { key: string; email: string; country: string };

/**
 * Makes an account that is the instructor's own: they get its whole dashboard, pay Stripe's fees, and
 * Stripe carries what they can't pay. The same again is the same account.
 */
export function createAccount(ctx: StripeContext, { key, email, country }: NewAccount) {
  return askStripe(ctx, Account, (stripe) =>
    stripe.v2.core.accounts.create(
      {
        contact_email: email,
        dashboard: 'full',
        identity: { country: country.toLowerCase() },
        configuration: { merchant: { capabilities: { card_payments: { requested: true } } } },
        defaults: { responsibilities: { fees_collector: 'stripe', losses_collector: 'stripe' } },
        include: [...include],
      },
      { idempotencyKey: key },
    ),
  );
}

/** How Stripe says that an account is not there, or that its owner has taken back our access. */
const goneReasons = new Set(['account_invalid', 'resource_missing', 'not_found']);

/** An account as it is now; null if we may not use it any more. */
export async function findAccount(ctx: StripeContext, account: string): Promise<Account | null> {
  try {
    return await askStripe(ctx, Account, (stripe) =>
      stripe.v2.core.accounts.retrieve(account, { include: [...include] }),
    );
  } catch (error) {
    // Any other refusal is about our key.
    if (error instanceof StripeRefusal && goneReasons.has(error.reason)) {
      return null;
    }
    throw error;
  }
}

/** The address of a page at Stripe that asks for what is missing. It works once, for minutes. */
export async function createAccountLink(ctx: StripeContext, account: string, returnUrl: string) {
  const { url } = await askStripe(ctx, AccountLink, (stripe) =>
    stripe.v2.core.accountLinks.create({
      account,
      use_case: {
        type: 'account_onboarding',
        account_onboarding: {
          // Where Stripe leads when the link is too old: our page makes another.
          refresh_url: returnUrl,
          return_url: returnUrl,
        },
      },
    }),
  );
  const { origin, protocol, hostname } = new URL(url);
  const isOfStripe = protocol === 'https:' && hostname.endsWith('.stripe.com');
  if (!isOfStripe && origin !== ctx.config.stripe?.baseUrl) {
    throw new AppError('payment_unavailable', {
      cause: new Error('The link leads to another site'),
    });
  }
  return url;
}
