import 'server-only';
import { type SQL, sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { fragment, type Given } from '#db/prepared.ts';

/**
 * The account at Stripe that payments for the owner of cohort `c` go to, as SQL: empty for the
 * operator's own, for owners whom the operator has named; null if there is none that can be paid to.
 */
export function usableAccount({ config }: Pick<Context, 'config'>): SQL {
  const { stripe } = config;
  return stripe === null ? none({}) : account({ named: JSON.stringify(stripe.ownAccountFor) });
}

const none = fragment(() => sql`NULL`);
const account = fragment(
  ({ named }: Given<'named'>) => sql`(SELECT
      CASE WHEN lower(u.email) IN (SELECT value FROM json_each(${named})) THEN ''
      ELSE (SELECT a.stripe_account FROM payment_accounts a WHERE a.owner_id = u.id
        AND a.charges_enabled = 1 AND a.disconnected_at IS NULL) END
    FROM users u WHERE u.id = c.owner_id)`,
);
