import 'server-only';
import { type SQL, sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { fragment, type Given, prepared } from '#db/prepared.ts';
import { db, query } from '#db/query.ts';
import type { Locale } from '#db/values.ts';
import { openRightsLink, requireRightsLink } from './rights-links.ts';

/** A person with one instructor, as what takes or erases everything needs them. */
export type RightsHolder = {
  id: string;
  ownerId: string;
  linkVersion: number;
  email: string;
  emailCanonical: string;
  language: Locale;
  instructor: string;
  /** Whether all of their places are in open runs, which no one calls cohorts. */
  isOnlyInRuns: boolean;
  cohortIds: string[];
  /** Where erasing them may free a place. */
  placeIds: string[];
};

/** The query for the person `p` of an owner `u`; null without one. */
function holderQuery(from: SQL) {
  return query({ rows: holderRow({ from }) }, ({ rows: [row] }): RightsHolder | null =>
    row === undefined
      ? null
      : {
          ...row,
          isOnlyInRuns: row.isOnlyInRuns === 1,
          cohortIds: JSON.parse(row.cohortIds),
          placeIds: JSON.parse(row.placeIds),
        },
  );
}

const holderRow = prepared(({ from }: Given<'from'>) =>
  db.all<
    Omit<RightsHolder, 'isOnlyInRuns' | 'cohortIds' | 'placeIds'> & {
      isOnlyInRuns: 0 | 1;
      cohortIds: string;
      placeIds: string;
    }
  >(sql`SELECT p.id, p.owner_id AS ownerId, p.link_version AS linkVersion,
      p.email, p.email_canonical AS emailCanonical, p.language,
      u.first_name || ' ' || u.last_name AS instructor,
      coalesce((SELECT min(c.kind = 'open') FROM enrollments e JOIN cohorts c ON c.id = e.cohort_id
        WHERE e.person_id = p.id), 0) AS isOnlyInRuns,
      (SELECT json_group_array(e.cohort_id) FROM enrollments e WHERE e.person_id = p.id)
        AS cohortIds,
      (SELECT json_group_array(e.cohort_id) FROM enrollments e WHERE e.person_id = p.id
        AND e.status IN ('enrolled', 'offered', 'waitlisted')) AS placeIds
    FROM people p JOIN users u ON u.id = p.owner_id WHERE ${from} AND p.erased_at IS NULL`),
);

const isPerson = fragment(({ id }: Given<'id'>) => sql`p.id = ${id}`);
const isOwnPerson = fragment(
  ({ id, ownerId }: Given<'id' | 'ownerId'>) => sql`p.id = ${id} AND p.owner_id = ${ownerId}`,
);

/** One of the viewer's people; null for someone else. */
export function findHolder(id: string) {
  return (_ctx: Context, ownerId: SQL) => holderQuery(isOwnPerson({ id, ownerId }));
}

/** The purposes whose link is about a person, whom its id names. */
type OfPerson = 'data' | 'remove';

const holderOf = (id: string) => holderQuery(isPerson({ id }));

/** The person of a link, for its page; see `openRightsLink`. */
export function openRights(ctx: Context, purpose: OfPerson, token: unknown) {
  return openRightsLink(ctx, purpose, token, holderOf);
}

/** The person of a link, for what its page does; see `requireRightsLink`. */
export function requireRights(ctx: Context, purpose: OfPerson, token: unknown) {
  return requireRightsLink(ctx, purpose, token, holderOf);
}

/** Whether a person is still who they were when they were read: the links in emails end with it. */
export function isUnchanged({ id, ownerId, linkVersion, emailCanonical }: RightsHolder): SQL {
  return sql`EXISTS (SELECT 1 FROM people p WHERE p.id = ${id} AND p.owner_id = ${ownerId}
    AND p.erased_at IS NULL AND p.link_version = ${linkVersion} AND p.email_canonical = ${emailCanonical})`;
}

/** For which courses of an owner an address waits. Found by course, which has each address once. */
export function interestsOf(canonical: string | SQL, ownerId: string | SQL): SQL {
  return sql`course_interests.email_canonical = ${canonical}
    AND course_interests.course_id IN (SELECT k.id FROM courses k WHERE k.owner_id = ${ownerId})`;
}

/** Which emails are to or about a person: those of a place, of their address, of their links. */
export function mailsOf(id: string, ownerId: string | SQL): SQL {
  const keys = ['new_link', 'learner_link', 'data_link', 'address_proof'].map(
    (kind) =>
      sql`(mails_due.dedupe_key > ${`${kind}:${id}:`} AND mails_due.dedupe_key < ${`${kind}:${id};`})`,
  );
  return sql`mails_due.owner_id = ${ownerId} AND (mails_due.to_canonical =
      (SELECT p.email_canonical FROM people p WHERE p.id = ${id})
    OR mails_due.enrollment_id IN (SELECT o.id FROM enrollments o WHERE o.person_id = ${id})
    OR ${sql.join(keys, sql` OR `)})`;
}
