import 'server-only';
import { sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { type Given, prepared } from '#db/prepared.ts';
import { ask, db } from '#db/query.ts';
import type { CheckoutStatus, Locale } from '#db/values.ts';
import { openLink } from '#lib/signed-links.ts';

/**
 * Where a payment stands, by the address to which Stripe leads back: nothing of who has paid, or for
 * what, because Stripe keeps that address. Opening it changes nothing.
 *
 * @param text unchecked
 * @returns null for an address that is not ours, or of a payment that is gone
 */
export async function findCheckoutState(ctx: Context, text: unknown) {
  const link = await openLink(ctx, 'checkout', text);
  if (link === null) {
    return null;
  }
  const { rows } = await ask(ctx, { rows: checkoutState({ id: link.id }) });
  return rows[0] ?? null;
}

type CheckoutState = { id: string; status: CheckoutStatus; language: Locale | null };

const checkoutState = prepared(({ id }: Given<'id'>) =>
  db.all<CheckoutState>(sql`SELECT o.id, o.status, p.language
    FROM checkouts o LEFT JOIN people p ON p.id = o.person_id WHERE o.id = ${id}`),
);
