import 'server-only';
import { type SQL, sql } from 'drizzle-orm';
import { type Given, prepared } from '#db/prepared.ts';
import { db, query } from '#db/query.ts';

/** Many people of one domain who enrolled by themselves within an hour: perhaps one person. */
export type Burst = {
  domain: string;
  people: { id: string; name: string; email: string }[];
};

const fewest = 8;
const hourMs = 60 * 60 * 1000;
const dayMs = 24 * hourMs;

/** Where anyone can have an address, so that many in an hour mean nothing. */
const sharedDomains = [
  'aol.com',
  'bluewin.ch',
  'free.fr',
  'gmail.com',
  'gmx.com',
  'gmx.de',
  'gmx.net',
  'googlemail.com',
  'hotmail.com',
  'hotmail.fr',
  'icloud.com',
  'laposte.net',
  'live.com',
  'live.fr',
  'mac.com',
  'mail.com',
  'me.com',
  'msn.com',
  'orange.fr',
  'outlook.com',
  'outlook.fr',
  'pm.me',
  'proton.me',
  'protonmail.com',
  'sfr.fr',
  'videotron.ca',
  'wanadoo.fr',
  'web.de',
  'yahoo.ca',
  'yahoo.co.uk',
  'yahoo.com',
  'yahoo.fr',
];

/** The most people of a burst that are shown, and removed at once. */
const maxRemoved = 200;

/**
 * The bursts of the last day in a cohort of the viewer, the people of each by the order in which
 * they came. Reads only what has changed within that day.
 */
export function findBursts(ownerId: SQL, cohortId: string, now: number) {
  return query(
    { rows: burstRows({ ownerId, cohortId, since: now - dayMs }) },
    ({ rows }): Burst[] => {
      const byDomain = Map.groupBy(rows, ({ domain }) => domain);
      return [...byDomain].map(([domain, found]) => ({
        domain,
        people: found.map(({ id, name, email }) => ({ id, name, email })),
      }));
    },
  );
}

const burstRows = prepared(
  ({ ownerId, cohortId, since }: Given<'ownerId' | 'cohortId' | 'since'>) =>
    db.all<{ domain: string; id: string; name: string; email: string }>(sql`
        WITH recent AS (
          SELECT e.id, p.name, p.email, e.created_at,
            substr(p.email_canonical, instr(p.email_canonical, '@') + 1) AS domain
          FROM enrollments e JOIN people p ON p.id = e.person_id
          WHERE e.cohort_id = ${cohortId} AND e.owner_id = ${ownerId}
            AND e.status_changed_at > ${since} AND e.created_at > ${since} AND p.source = 'self'
            AND e.status IN ('enrolled', 'offered', 'waitlisted', 'applied')),
        counted AS (
          SELECT domain, created_at, count(*) OVER (PARTITION BY domain ORDER BY created_at
            RANGE BETWEEN ${hourMs} PRECEDING AND CURRENT ROW) AS people
          FROM recent
          WHERE domain NOT IN (SELECT value FROM json_each(${JSON.stringify(sharedDomains)}))),
        -- SQLite takes created_at from the row with the maximum.
        fullest AS (
          SELECT domain, created_at AS until, max(people) AS people FROM counted
          GROUP BY domain HAVING max(people) >= ${fewest})
        SELECT r.domain, r.id, r.name, r.email FROM fullest f JOIN recent r ON r.domain = f.domain
          AND r.created_at BETWEEN f.until - ${hourMs} AND f.until
        ORDER BY f.people DESC, r.domain, r.created_at, r.id LIMIT ${maxRemoved}`),
);
