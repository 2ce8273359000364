import 'server-only';
import { sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { fragment, type Given, prepared } from '#db/prepared.ts';
import { ask, db } from '#db/query.ts';
import type { CohortKind, Locale } from '#db/values.ts';
import { canBeJoined } from '#features/places/places.ts';
import { AppError } from '#lib/app-error.ts';
import { maskEmail } from '#lib/email-address.ts';
import { openLink } from '#lib/signed-links.ts';
import { dayMs } from '#lib/time/calendar.ts';
import { serverPaths } from '#paths.ts';
import type { InterestConfirmed } from './schema.ts';

/**
 * The query for the first cohort of a course that takes people now; nothing if none does.
 *
 * @param course the owner and the id of a course
 */
export const openCohortOf = prepared(({ now, course }: Given<'now' | 'course'>) =>
  db.all<{
    id: string;
    slug: string;
    kind: CohortKind;
  }>(sql`SELECT c.id, c.slug, c.kind FROM cohorts c
    WHERE (c.owner_id, c.course_id) = ${course} AND ${canBeJoined(now)}
    ORDER BY c.starts_on, c.id LIMIT 1`),
);

const courseOf = fragment(
  ({ interestId }: Given<'interestId'>) =>
    sql`(SELECT i.owner_id, i.course_id FROM course_interests i WHERE i.id = ${interestId})`,
);

type InterestRow = {
  email: string;
  language: Locale;
  confirmedAt: number | null;
  courseName: string;
  slug: string;
  instructor: string;
};

/**
 * What the page of an emailed link shows of an interest, which changes nothing; null if the link is
 * dead. One that has confirmed lives as long as the interest, so that it can be forgotten.
 */
export async function findInterest(ctx: Context, token: unknown) {
  const link = await openLink(ctx, 'interest', token);
  if (link === null) {
    return null;
  }
  const now = ctx.now().getTime();
  const { rows, open } = await ask(ctx, {
    rows: interestRow({ id: link.id, now }),
    open: openCohortOf({ now, course: courseOf({ interestId: link.id }) }),
  });
  const [row] = rows;
  if (row === undefined || (row.confirmedAt === null && link.expiresAt <= now)) {
    return null;
  }
  const { confirmedAt, email, ...interest } = row;
  return {
    ...interest,
    email: maskEmail(email),
    isConfirmed: confirmedAt !== null,
    /** The address of a cohort that takes people already. */
    openSlug: open[0]?.slug ?? null,
    isOpenRun: open[0]?.kind === 'open',
  };
}

const interestRow = prepared(({ id, now }: Given<'id' | 'now'>) =>
  db.all<InterestRow>(sql`SELECT i.email, i.language, i.confirmed_at AS confirmedAt,
      k.name AS courseName, k.slug, u.first_name || ' ' || u.last_name AS instructor
    FROM course_interests i JOIN courses k ON k.id = i.course_id
      JOIN users u ON u.id = i.owner_id
    WHERE i.id = ${id} AND i.expires_at > ${now}`),
);

/** How long someone is kept who waits for an email. */
const waitingDays = 365;

/**
 * Keeps that someone would like an email, because the click has proven the mailbox. If enrollment
 * is open by now, it leads there, and nothing is kept.
 *
 * @param token of the emailed link; unchecked
 * @throws AppError `interest_link_invalid`
 */
export async function confirmInterest(ctx: Context, token: unknown): Promise<InterestConfirmed> {
  const link = await linkOrThrow(ctx, token);
  const now = ctx.now().getTime();
  const isOpen = sql`EXISTS (SELECT 1 FROM cohorts c
    WHERE (c.owner_id, c.course_id) = ${courseOf({ interestId: link.id })} AND ${canBeJoined(now)})`;
  // What has come too late confirms nothing, but what is confirmed stays so.
  const mayConfirm = sql`id = ${link.id} AND expires_at > ${now}
    AND (confirmed_at IS NOT NULL OR ${link.expiresAt > now ? 1 : 0})`;
  const { open, dropped, confirmed } = await ask(ctx, {
    open: openCohortOf({ now, course: courseOf({ interestId: link.id }) }),
    dropped: db.all<{ id: string }>(sql`DELETE FROM course_interests
      WHERE ${mayConfirm} AND ${isOpen} RETURNING id`),
    confirmed: db.all<{ id: string }>(sql`UPDATE course_interests
      SET confirmed_at = coalesce(confirmed_at, ${now}),
        expires_at = CASE WHEN confirmed_at IS NULL
          THEN ${now + waitingDays * dayMs} ELSE expires_at END
      WHERE ${mayConfirm} RETURNING id`),
  });
  if (dropped.length === 0 && confirmed.length === 0) {
    ctx.observe.log('person_link_refused', { kind: 'interest' });
    throw new AppError('interest_link_invalid');
  }
  const [cohort] = open;
  return {
    redirect_to:
      dropped.length > 0 && cohort !== undefined
        ? serverPaths.publicCohort(ctx.config.appOrigin, cohort.slug)
        : null,
  };
}

/**
 * Forgets an address that waits for an email. One that is not kept any more is forgotten, too.
 *
 * @throws AppError `interest_link_invalid` for a token that is not ours
 */
export async function forgetInterest(ctx: Context, token: unknown): Promise<void> {
  const { id } = await linkOrThrow(ctx, token);
  await ask(ctx, {
    interest: db.run(sql`DELETE FROM course_interests WHERE id = ${id}`),
    mails: db.run(sql`DELETE FROM mails_due WHERE dedupe_key > ${`interest:${id}:`}
      AND dedupe_key < ${`interest:${id};`} AND sent_at IS NULL`),
  });
}

async function linkOrThrow(ctx: Context, token: unknown) {
  const link = await openLink(ctx, 'interest', token);
  if (link === null) {
    ctx.observe.log('person_link_refused', { kind: 'interest' });
    throw new AppError('interest_link_invalid');
  }
  return link;
}
