import 'server-only';
import { type SQL, sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { ask, db, type Query, query } from '#db/query.ts';
import { forgetRequests } from '#features/enrolling/forget-requests.ts';
import { type LimitUse, limitOn, refuseFull, type Usage } from '#features/limits/limit-on.ts';
import { insertMails, ownersFacts, payloadOf } from '#features/outbox/queue-mails.ts';
import { sendSoon } from '#features/outbox/send-soon.ts';
import { AppError } from '#lib/app-error.ts';
import type { ParsedEmail } from '#lib/email-address.ts';
import { requireRights } from './rights-holder.ts';

/**
 * Ends all links of the person whose mailbox has the token, and emails them a new one.
 *
 * @throws AppError `rights_link_invalid`, `rate_limited`
 */
export async function renewOwnLink(ctx: Context, token: unknown): Promise<void> {
  const { id, ownerId, linkVersion } = await requireRights(ctx, 'data', token);
  if (!(await replaceLink(ctx, { id, ownerId, linkVersion }))) {
    throw new AppError('rights_link_invalid');
  }
}

/**
 * Ends all links to a person of an owner, and emails them a new one. It is in what is still to be
 * sent, too, but not in what was tried: the provider knows that by what it said.
 *
 * @param linkVersion of the links to end, if their person asks for it, and not the owner
 * @param uses of limits, which the email counts in
 * @returns whether there is such a person, with links of the given version
 * @throws AppError `rate_limited`
 */
export async function replaceLink(
  ctx: Context,
  { id, ownerId, linkVersion }: { id: string; ownerId: string; linkVersion?: number },
  uses: LimitUse[] = [],
): Promise<boolean> {
  const now = ctx.now().getTime();
  const limit = await limitOn(ctx, uses, 'refuse');
  const isReplaced = sql`p.id = ${id} AND p.owner_id = ${ownerId} AND p.erased_at IS NULL
    AND p.updated_at = ${now}`;
  const { replaced, mails, usage } = await ask(ctx, {
    replaced: db.all<{ id: string }>(sql`UPDATE people SET link_version = link_version + 1,
        updated_at = ${now}
      WHERE id = ${id} AND owner_id = ${ownerId} AND erased_at IS NULL AND ${limit.hasRoom}
        AND ${linkVersion === undefined ? sql`true` : sql`link_version = ${linkVersion}`}
      RETURNING id`),
    queued: db.run(withPresentLink(id, sql`owner_id = ${ownerId}`)),
    // It would let a browser in by the new version.
    codes: db.run(sql`DELETE FROM learner_codes WHERE person_id = ${id}
      AND EXISTS (SELECT 1 FROM people p WHERE ${isReplaced})`),
    // Their links lead to the page, too.
    requests: forgetRequests(sql`r.owner_id = ${ownerId} AND (r.person_id = ${id}
        OR r.email_canonical = (SELECT p.email_canonical FROM people p WHERE p.id = ${id}))
      AND EXISTS (SELECT 1 FROM people p WHERE ${isReplaced})`),
    mails: insertLinkMail(ctx, isReplaced, {
      kind: 'new_link',
      isByOwner: linkVersion === undefined,
    }),
    usage: limit.count(sql`EXISTS (SELECT 1 FROM people p WHERE ${isReplaced})`),
  });
  refuseFull(ctx, usage.full);
  sendSoon(ctx, mails);
  return replaced.length > 0;
}

/**
 * The limit on links that an owner sends to an address. It outlives the emails, so that erasing
 * someone and adding them again does not reset it.
 */
export function linkUse(ownerId: string, canonical: string) {
  const subject = `link:${ownerId}:${canonical}`;
  return { limit: 'same_requests_per_address', subject } as const satisfies LimitUse;
}

/** Gives what no one has tried to send to a person yet their present link. */
export function withPresentLink(id: string, condition: SQL, also: SQL = sql``): SQL {
  return sql`UPDATE mails_due SET ${also} payload = json_set(payload, '$.person.link_version',
      (SELECT p.link_version FROM people p WHERE p.id = ${id}))
    WHERE enrollment_id IN (SELECT e.id FROM enrollments e WHERE e.person_id = ${id})
      AND sent_at IS NULL AND failed_at IS NULL AND attempts = 0 AND ${condition}`;
}

/** Whether emails may name cohort `h` of enrollment `e`. */
const isShown = sql`(h.deleted_at IS NULL AND e.status <> 'removed')`;

/** All cohorts of person `p`, the newest first, as `Payload['cohorts']`. */
const cohortsOfPerson = sql`(SELECT json_group_array(json_object('kind', x.kind, 'name', x.name,
    'course', x.course))
  FROM (SELECT h.kind, h.name, g.name AS course FROM enrollments e JOIN cohorts h ON h.id = e.cohort_id
    JOIN courses g ON g.id = h.course_id WHERE e.person_id = p.id AND ${isShown}
    ORDER BY h.starts_on DESC, h.id) x)`;

type LinkMail = {
  kind: 'new_link' | 'learner_link' | 'data_link' | 'address_proof';
  /** What the link confirms, if it does more than open their page. */
  request?: SQL;
  /** Under which id, if that matters. */
  id?: string;
  /** Whether the owner sends it, and the person has not asked for it. */
  isByOwner?: boolean;
  /** Where to, if not to the person's own address. */
  to?: ParsedEmail;
  /** The id of the course that it is about; otherwise, it names all cohorts of the person. */
  courseId?: string;
};

/**
 * Writes an email with a link of a person `p`, even if they are no longer in any cohort.
 *
 * @returns reads the ids of the emails to send at once
 */
export function insertLinkMail(
  ctx: Context,
  where: SQL,
  { kind, request, isByOwner, courseId, ...mail }: LinkMail,
) {
  const now = ctx.now().getTime();
  const namesCohorts = mail.to === undefined && courseId === undefined;
  const rows = insertMails({
    ...mail,
    kind,
    key: sql`${kind} || ':' || p.id || ':' || ${now}`,
    ownerId: sql`p.owner_id`,
    enrollmentId: null,
    payload: sql`json_set(${payloadOf({
      ...(request !== undefined && { request }),
      ...(isByOwner && { enrollment: ownersFacts(now) }),
      // A mailbox that is not theirs yet gets neither their name nor the list of their cohorts.
      ...(mail.to !== undefined && { name: sql`NULL` }),
    })}, '$.cohorts', ${namesCohorts ? sql`json(${cohortsOfPerson})` : sql`json('[]')`})`,
    dueAt: now,
    from: sql`people p JOIN users u ON u.id = p.owner_id
      LEFT JOIN cohorts c ON c.id = (SELECT h.id FROM enrollments e
        JOIN cohorts h ON h.id = e.cohort_id WHERE e.person_id = p.id
          ${courseId === undefined ? sql`` : sql`AND h.course_id = ${courseId}`}
        ORDER BY NOT ${isShown}, h.starts_on DESC, h.id LIMIT 1)
      LEFT JOIN courses k ON k.id = c.course_id
      WHERE ${where}`,
  });
  return query({ rows }, (answers) => answers.rows.map((row) => row.id));
}

/**
 * Sends such an email alone, unless a limit is full.
 *
 * @param counts of the limits whose room is a part of `where`
 * @throws AppError `rate_limited`
 */
export async function sendLinkMail(
  ctx: Context,
  counts: { usage: Query<Usage>; ofAddress?: Query<Usage> },
  where: SQL,
  mail: LinkMail,
): Promise<void> {
  const { mails, usage } = await ask(ctx, { mails: insertLinkMail(ctx, where, mail), ...counts });
  refuseFull(ctx, usage.full);
  sendSoon(ctx, mails);
}
