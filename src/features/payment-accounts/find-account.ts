import 'server-only';
import type { SQL } from 'drizzle-orm';
import { sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { type Given, prepared } from '#db/prepared.ts';
import { db, query } from '#db/query.ts';
import type { AccountStatus, PaymentAccount } from './schema.ts';

/** The account at Stripe of an owner, as it is kept. Times are milliseconds. */
export type AccountRow = {
  stripeAccount: string | null;
  country: string | null;
  chargesEnabled: 0 | 1 | null;
  dueJson: string | null;
  readyAt: number | null;
  connectedAt: number | null;
  disconnectedAt: number | null;
  /** Whether the operator has named the owner. */
  isOperators: 0 | 1;
};

const accountRows = prepared(({ ownerId, named }: Given<'ownerId' | 'named'>) =>
  db.all<AccountRow>(sql`SELECT a.stripe_account AS stripeAccount, a.country,
      a.charges_enabled AS chargesEnabled, a.due_json AS dueJson, a.ready_at AS readyAt,
      a.connected_at AS connectedAt, a.disconnected_at AS disconnectedAt,
      lower(u.email) IN (SELECT value FROM json_each(${named})) AS isOperators
    FROM users u LEFT JOIN payment_accounts a ON a.owner_id = u.id WHERE u.id = ${ownerId}`),
);

/** The query for the row of an owner, with whom the operator has named. */
export function accountRow({ config }: Pick<Context, 'config'>, ownerId: SQL | string) {
  const named = JSON.stringify(config.stripe?.ownAccountFor ?? []);
  return query({ rows: accountRows({ ownerId, named }) }, ({ rows: [row] }) => row ?? null);
}

/** The viewer's account at Stripe. */
export function findPaymentAccount(ctx: Context, ownerId: SQL) {
  return query({ row: accountRow(ctx, ownerId) }, ({ row }) => toPaymentAccount(ctx, row));
}

/** What an owner sees of their account at Stripe. */
export function toPaymentAccount(
  { config }: Pick<Context, 'config'>,
  row: AccountRow | null,
): PaymentAccount {
  const isOperators = row?.isOperators === 1;
  const status = config.stripe === null ? 'off' : statusOf(row);
  const isShown = status !== 'off' && status !== 'none' && !isOperators;
  const { stripeAccount = null, country = null, connectedAt = null } = row ?? {};
  return {
    status,
    is_operators: isOperators,
    country: isShown ? country : null,
    account_hint: isShown ? (stripeAccount?.slice(-4) ?? null) : null,
    missing: isShown ? (JSON.parse(row?.dueJson ?? '[]') as string[]) : [],
    connected_at: isShown && connectedAt !== null ? new Date(connectedAt).toISOString() : null,
  };
}

function statusOf(row: AccountRow | null): Exclude<AccountStatus, 'off'> {
  if (row?.isOperators === 1) {
    return 'ready';
  }
  if (row === null || row.stripeAccount === null || row.disconnectedAt !== null) {
    return 'none';
  }
  if (row.chargesEnabled === 1) {
    return 'ready';
  }
  return row.readyAt === null ? 'unfinished' : 'paused';
}
