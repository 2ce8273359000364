import 'server-only';
import { type SQL, sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { type Given, prepared } from '#db/prepared.ts';
import { ask, db } from '#db/query.ts';
import type { Locale } from '#db/values.ts';
import { type SubscriptionKind, subscriptionKinds } from '#email/kinds.ts';
import { allowInvitations, blockInvitations } from '#features/suppression/blocked-addresses.ts';
import { AppError } from '#lib/app-error.ts';
import { maskEmail } from '#lib/email-address.ts';
import { openLink, readLink, sealLink } from '#lib/signed-links.ts';
import { emailPaths } from '#paths.ts';
import type { SubscriptionInput } from './schema.ts';

type Row = { email: string; language: Locale; isOn: 0 | 1; instructor: string };

/** What the page of a link shows. */
export type ShownSubscription = {
  kind: SubscriptionKind;
  /** Null if the person or the account is gone, so that nothing comes any more. */
  reader: (Omit<Row, 'isOn'> & { isOn: boolean }) | null;
};

/** What a link unsubscribes from, which this does not; null for a link that is not ours. */
export async function findSubscription(ctx: Context, link: unknown) {
  const subscription = await subscriptionIn(ctx, link);
  if (subscription === null) {
    return null;
  }
  const { kind, id } = subscription;
  const {
    rows: [row],
  } = await ask(ctx, { rows: rowsOf[kind]({ id }) });
  const reader =
    row === undefined ? null : { ...row, email: maskEmail(row.email), isOn: row.isOn === 1 };
  return { kind, reader };
}

const rowsOf = {
  invitation: ofPerson(sql`p.no_invitations_at`),
  reminder: ofPerson(sql`p.no_reminders_at`),
  news: prepared(({ id }: Given<'id'>) =>
    db.all<Row>(sql`SELECT u.email, u.language, u.roster_news AS isOn, '' AS instructor
      FROM users u WHERE u.id = ${id}`),
  ),
} satisfies Record<SubscriptionKind, unknown>;

/** @param off since when a person gets none */
function ofPerson(off: SQL) {
  return prepared(({ id }: Given<'id'>) =>
    db.all<Row>(sql`SELECT p.email, p.language, ${off} IS NULL AS isOn,
        u.first_name || ' ' || u.last_name AS instructor
      FROM people p JOIN users u ON u.id = p.owner_id
      WHERE p.id = ${id} AND p.erased_at IS NULL`),
  );
}

/**
 * Ends the emails that a link belongs to, or lets them come again. The same again changes nothing,
 * nor does the link of someone who is gone.
 *
 * @throws AppError `unsubscribe_link_invalid`
 */
export async function changeSubscription(ctx: Context, { link, is_on: isOn }: SubscriptionInput) {
  const subscription = await subscriptionIn(ctx, link);
  if (subscription === null) {
    throw new AppError('unsubscribe_link_invalid');
  }
  const { kind, id } = subscription;
  if (await changes[kind](ctx, id, isOn)) {
    ctx.observe.log('subscription_changed', { kind, is_on: isOn });
  }
  return { is_on: isOn };
}

const changes: Record<SubscriptionKind, typeof changeInvitations> = {
  invitation: changeInvitations,
  // Reminders and messages of one instructor. What was queued is looked at before it is sent.
  reminder: (ctx, id, isOn) =>
    isChanged(
      ctx,
      sql`UPDATE people SET no_reminders_at = ${isOn ? null : ctx.now().getTime()}
        WHERE id = ${id} AND erased_at IS NULL AND (no_reminders_at IS NULL) <> ${isOn ? 1 : 0}
        RETURNING id`,
    ),
  news: (ctx, id, isOn) =>
    isChanged(
      ctx,
      sql`UPDATE users SET roster_news = ${isOn ? 1 : 0}
        WHERE id = ${id} AND roster_news <> ${isOn ? 1 : 0} RETURNING id`,
    ),
};

async function isChanged(ctx: Context, change: SQL): Promise<boolean> {
  const { rows } = await ask(ctx, { rows: db.all(change) });
  return rows.length > 0;
}

/** Declines the open invitations of someone who wants no more of them; they hold no place. */
async function changeInvitations(ctx: Context, id: string, isOn: boolean): Promise<boolean> {
  const {
    people: [person],
  } = await ask(ctx, {
    people: db.all<{ ownerId: string; emailCanonical: string }>(sql`SELECT owner_id AS ownerId,
      email_canonical AS emailCanonical FROM people WHERE id = ${id} AND erased_at IS NULL`),
  });
  if (person === undefined) {
    return false;
  }
  const now = ctx.now().getTime();
  const { changed } = await ask(ctx, {
    changed: db.all(sql`UPDATE people SET no_invitations_at = ${isOn ? null : now}
      WHERE id = ${id} AND (no_invitations_at IS NULL) <> ${isOn ? 1 : 0} RETURNING id`),
    blocked: await (isOn ? allowInvitations : blockInvitations)(ctx, person),
    declined: isOn
      ? undefined
      : db.run(sql`UPDATE enrollments SET status = 'declined', expires_at = NULL,
          changed_by = 'person', status_changed_at = ${now}
        WHERE person_id = ${id} AND status = 'invited'`),
  });
  return changed.length > 0;
}

type Keyed = Pick<Context, 'config'>;

/** A subscription, and whose: the id of a person or, for news, of an account. */
type Subscription = { kind: SubscriptionKind; id: string };

/** The subscription that a token names; null if the token is not ours. */
async function subscriptionIn(ctx: Keyed, token: unknown): Promise<Subscription | null> {
  const kind = subscriptionKinds.find((one) => readLink(one, token) !== null);
  const link = kind && (await openLink(ctx, kind, token));
  return kind && link ? { kind, id: link.id } : null;
}

/**
 * Where an email can be unsubscribed from: by its reader on a page, and by mail programs. The link
 * has no version, so that the oldest email can be unsubscribed from.
 */
export async function waysOut(ctx: Keyed, { kind, id }: Subscription) {
  const { appOrigin } = ctx.config;
  const token = await sealLink(ctx, kind, { id });
  return {
    page: emailPaths.unsubscribe(appOrigin, token),
    // As RFC 8058 has it.
    headers: {
      'List-Unsubscribe': `<${appOrigin}${emailPaths.oneClick}?u=${token}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    },
  };
}
