import 'server-only';
import { sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { isUniqueViolation } from '#db/errors.ts';
import { ask, db } from '#db/query.ts';
import type { Locale } from '#db/values.ts';
import { limitOnAddress } from '#features/enrolling/limit-on-address.ts';
import { limitOn, refuseFull } from '#features/limits/limit-on.ts';
import { sendSoon } from '#features/outbox/send-soon.ts';
import { personAddress } from '#features/places/person-address.ts';
import { AppError } from '#lib/app-error.ts';
import type { ParsedEmail } from '#lib/email-address.ts';
import { isGenuine } from '#lib/signed-links.ts';
import { moveToAddress } from './move-to-address.ts';
import { insertLinkMail } from './renew-link.ts';
import { isUnchanged, requireRights } from './rights-holder.ts';
import { readRightsLink, rightsLifetimeMs } from './rights-links.ts';
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
  const { mails, usage } = await ask(ctx, {
    mails: insertLinkMail(
      ctx,
      sql`p.id = ${holder.id} AND ${isUnchanged(holder)} AND ${limit.mayWrite(holder.ownerId)}`,
      {
        kind: 'address_proof',
        request: sql`json_object('id', ${mailId}, 'expires_at', ${expiresAt})`,
        id: mailId,
        to: email,
      },
    ),
    ...limit.counts(),
  });
  refuseFull(ctx, usage.full);
  sendSoon(
    ctx,
    mails.map(({ id }) => id),
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
function proofRows(id: string) {
  return db.all<Proof>(sql`SELECT p.id AS personId, p.owner_id AS ownerId, p.language,
      p.link_version AS linkVersion, p.email_canonical AS before, m.to_address AS address,
      m.to_canonical AS canonical
    FROM mails_due m JOIN people p ON p.id = m.payload ->> '$.person.id' AND p.owner_id = m.owner_id
      AND p.link_version = m.payload ->> '$.person.link_version'
    WHERE m.id = ${id} AND m.kind = 'address_proof' AND m.payload <> ''`);
}

/** What the page of such a link shows, which changes nothing; null for a dead link. */
export async function openProof(ctx: Context, token: unknown): Promise<Proof | null> {
  const link = readRightsLink(ctx, 'address', token);
  const { rows } = await ask(ctx, { rows: proofRows(link?.id ?? '') });
  return signedProof(ctx, link, rows);
}

async function signedProof(
  ctx: Context,
  link: ReturnType<typeof readRightsLink>,
  [row]: Proof[],
): Promise<Proof | null> {
  if (link === null || row === undefined) {
    return null;
  }
  const { linkVersion } = row;
  return (await isGenuine(ctx, 'address', { ...link, linkVersion })) ? row : null;
}

/**
 * Gives a person the address whose mailbox has just been proven. All earlier links end.
 *
 * @returns the address of their page
 * @throws AppError `rights_link_invalid`; `address_in_use` for the address of another person of
 *   this instructor, which only its owner can learn; `rate_limited`
 */
export async function confirmNewAddress(ctx: Context, token: unknown): Promise<string> {
  const limit = await limitOn(ctx, [{ limit: 'participation_per_ip' }], 'allow');
  const link = readRightsLink(ctx, 'address', token);
  const { usage, rows } = await ask(ctx, {
    usage: limit.count(),
    rows: proofRows(link?.id ?? ''),
  });
  refuseFull(ctx, usage.full);
  const proof = await signedProof(ctx, link, rows);
  if (proof === null) {
    ctx.observe.log('person_link_refused', { kind: 'address' });
    throw new AppError('rights_link_invalid');
  }
  const { personId, ownerId, linkVersion, before, address, canonical } = proof;
  const email: ParsedEmail = { address, canonical };
  const dependents = await moveToAddress(ctx, { id: personId, ownerId, before }, email);
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
  sendSoon(
    ctx,
    mails.map(({ id }) => id),
  );
  return personAddress(ctx, { id: personId, linkVersion: person.linkVersion });
}
