import 'server-only';
import { sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { fragment, type Given, prepared } from '#db/prepared.ts';
import { ask, db } from '#db/query.ts';
import type { Locale } from '#db/values.ts';
import { canBeJoined } from '#features/places/places.ts';
import { maskEmail } from '#lib/email-address.ts';
import { openLink } from '#lib/signed-links.ts';

/**
 * The query for the first cohort of a course that takes people now; nothing if none does.
 *
 * @param course the owner and the id of a course
 */
export const openCohortOf = prepared(({ now, course }: Given<'now' | 'course'>) =>
  db.all<{ id: string; slug: string }>(sql`SELECT c.id, c.slug FROM cohorts c
    WHERE (c.owner_id, c.course_id) = ${course} AND ${canBeJoined(now)}
    ORDER BY c.starts_on, c.id LIMIT 1`),
);

/** The owner and the course of an interest. */
export const courseOf = fragment(
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
  };
}

const interestRow = prepared(({ id, now }: Given<'id' | 'now'>) =>
  db.all<InterestRow>(sql`SELECT i.email, i.language, i.confirmed_at AS confirmedAt,
      k.name AS courseName, k.slug, u.first_name || ' ' || u.last_name AS instructor
    FROM course_interests i JOIN courses k ON k.id = i.course_id
      JOIN users u ON u.id = i.owner_id
    WHERE i.id = ${id} AND i.expires_at > ${now}`),
);
