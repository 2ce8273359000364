import 'server-only';
import { type SQL, sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { isUniqueViolation } from '#db/errors.ts';
import { ask, db, query } from '#db/query.ts';
import type { Locale } from '#db/values.ts';
import { forgetRequests } from '#features/enrolling/forget-requests.ts';
import { limitOnAddress } from '#features/enrolling/limit-on-address.ts';
import { sendSoon } from '#features/outbox/send-soon.ts';
import { personAddress } from '#features/places/person-address.ts';
import { block, blockHash } from '#features/suppression/blocked-addresses.ts';
import { AppError } from '#lib/app-error.ts';
import type { ParsedEmail } from '#lib/email-address.ts';
import { insertLinkMail, sendLinkMail, withPresentLink } from './renew-link.ts';
import { interestsOf, isUnchanged, requireRights } from './rights-holder.ts';
import { openRightsLink, requireRightsLink, rightsLifetimeMs } from './rights-links.ts';
import type { NewAddressInput } from './schema.ts';

/**
 * Asks for the proof of another address, by an email to it. The answer and the work are the same
 * whosever it is.
 *
 * @throws AppError `rights_link_invalid`, `rate_limited`
 */
export async function requestNewAddress(
  ctx: Context,
  { token, email }: NewAddressInput,
): Promise<void> {
  const holder = await requireRights(ctx, 'data', token);
  const mailId = crypto.randomUUID();
  const limit = await limitOnAddress(ctx, email.canonical, 'address_proof', mailId);
  const expiresAt = ctx.now().getTime() + rightsLifetimeMs.address;
  await sendLinkMail(
    ctx,
    limit.counts(),
    sql`p.id = ${holder.id} AND ${isUnchanged(holder)} AND ${limit.mayWrite(holder.ownerId)}`,
    {
      kind: 'address_proof',
      request: sql`json_object('id', ${mailId}, 'expires_at', ${expiresAt})`,
      id: mailId,
      to: email,
    },
  );
}

type Proof = {
  personId: string;
  ownerId: string;
  linkVersion: number;
  before: string;
  language: Locale;
  address: string;
  canonical: string;
};

/** The change that an email of ours asks about, if its person still has the link they had then. */
function proofOf(id: string) {
  const rows = db.all<Proof>(sql`SELECT p.id AS personId, p.owner_id AS ownerId, p.language,
      p.link_version AS linkVersion, p.email_canonical AS before, m.to_address AS address,
      m.to_canonical AS canonical
    FROM mails_due m JOIN people p ON p.id = m.payload ->> '$.person.id' AND p.owner_id = m.owner_id
      AND p.link_version = m.payload ->> '$.person.link_version'
    WHERE m.id = ${id} AND m.kind = 'address_proof' AND m.payload <> ''`);
  return query({ rows }, ({ rows: [row] }) => row ?? null);
}

/** What the page of such a link shows, which changes nothing; null for a dead link. */
export function openProof(ctx: Context, token: unknown): Promise<Proof | null> {
  return openRightsLink(ctx, 'address', token, proofOf);
}

/**
 * Gives a person the address whose mailbox has just been proven. All earlier links end.
 *
 * @returns the address of their page
 * @throws AppError `rights_link_invalid`; `address_in_use` for the address of another person of
 *   this instructor, which only its owner can learn; `rate_limited`
 */
export async function confirmNewAddress(ctx: Context, token: unknown): Promise<string> {
  const proof = await requireRightsLink(ctx, 'address', token, proofOf);
  const { personId, ownerId, linkVersion, before, address, canonical } = proof;
  const to = { address, canonical };
  const dependents = await moveToAddress(ctx, { id: personId, ownerId, before }, to);
  const now = ctx.now().getTime();
  const isSame = sql`link_version = ${linkVersion} AND email_canonical = ${before}`;
  const {
    rows: [person],
    mails,
  } = await ask(ctx, {
    rows: db.all<{ linkVersion: number }>(sql`UPDATE people SET email = ${address},
        email_canonical = ${canonical}, link_version = link_version + 1,
        updated_at = ${now}
      WHERE id = ${personId} AND owner_id = ${ownerId} AND ${isSame}
      RETURNING link_version AS linkVersion`),
    dependents,
    mails: insertLinkMail(ctx, sql`p.id = ${personId} AND p.updated_at = ${now}`, {
      kind: 'new_link',
    }),
  }).catch((error: unknown) => {
    if (isUniqueViolation(error, 'people.owner_id')) {
      throw new AppError('address_in_use');
    }
    throw error;
  });
  if (person === undefined) {
    throw new AppError('rights_link_invalid');
  }
  sendSoon(ctx, mails);
  return personAddress(ctx, { id: personId, linkVersion: person.linkVersion });
}

type Move = { id: string; ownerId: string; before: string };

/** Whether person `p` has an address. */
export function isAt({ id, ownerId }: Omit<Move, 'before'>, canonical: string): SQL {
  return sql`p.id = ${id} AND p.owner_id = ${ownerId} AND p.email_canonical = ${canonical}`;
}

/**
 * What goes with a person to another address, in the batch after the change: what no one has tried
 * to send yet, and that they wish no invitations. What only the old address leads to is forgotten,
 * so that an erasure finds everything.
 */
export async function moveToAddress(
  ctx: Context,
  { id, ownerId, before }: Move,
  { address, canonical }: ParsedEmail,
) {
  const [oldHash, newHash] = await Promise.all(
    [before, canonical].map((emailCanonical) => blockHash(ctx, { ownerId, emailCanonical }, null)),
  );
  const hasMoved = sql`EXISTS (SELECT 1 FROM people p WHERE ${isAt({ id, ownerId }, canonical)})`;
  return query(
    {
      mails: db.run(
        withPresentLink(id, hasMoved, sql`to_address = ${address}, to_canonical = ${canonical},`),
      ),
      forgotten: db.run(sql`DELETE FROM mails_due WHERE owner_id = ${ownerId}
        AND to_canonical = ${before} AND enrollment_id IS NULL AND complained_at IS NULL
        AND (sent_at IS NOT NULL OR failed_at IS NOT NULL) AND ${hasMoved}`),
      requests: forgetRequests(sql`r.owner_id = ${ownerId}
        AND (r.person_id = ${id} OR r.email_canonical = ${before}) AND ${hasMoved}`),
      codes: db.run(sql`DELETE FROM learner_codes WHERE person_id = ${id} AND ${hasMoved}`),
      interests: db.run(sql`DELETE FROM course_interests
        WHERE ${interestsOf(before, ownerId)} AND ${hasMoved}`),
      blocks:
        block(sql`SELECT b.owner_id, ${newHash}, b.reason, NULL, b.created_at FROM blocked_addresses b
        WHERE b.owner_id = ${ownerId} AND b.hash = ${oldHash} AND ${hasMoved}`),
    },
    () => null,
  );
}
