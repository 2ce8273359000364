import 'server-only';
import { type SQL, sql } from 'drizzle-orm';
import { db, query } from '#db/query.ts';
import { requestLifetimeMs } from './links.ts';

/**
 * What someone has typed stands in the payload of the email that asks to confirm it, too: whoever
 * asks again with the same address changes the request, but not what that email confirms.
 */

/** The key of the email about a request whose link works until then. */
export function requestMailKey(id: string, expiresAt: number): string {
  return `request:${id}:${expiresAt - requestLifetimeMs}`;
}

/** What an email `m` about a request `r` confirms, as JSON. Older ones say what was asked last. */
export const factsOfRequest = sql<string>`coalesce(m.payload -> '$.request.facts', json_object(
  'name', r.name, 'email', r.email, 'language', r.language,
  'consent_version', r.consent_version, 'question', r.question, 'answer', r.answer))`;

/** Forgets requests `r`, with what their emails have of them. The links in these emails end. */
export function forgetRequests(where: SQL) {
  return query(
    {
      facts: forgetFacts(where),
      rows: db.run(sql`DELETE FROM enrollment_requests AS r WHERE ${where}`),
    },
    () => null,
  );
}

/** The first half of that, for who deletes the rows themselves. */
export function forgetFacts(where: SQL) {
  return db.run(sql`UPDATE mails_due SET payload = json_remove(payload, '$.request.facts')
    WHERE payload <> '' AND rowid IN (SELECT m.rowid FROM enrollment_requests r
      JOIN mails_due m ON m.dedupe_key > 'request:' || r.id || ':'
        AND m.dedupe_key < 'request:' || r.id || ';'
      WHERE ${where})`);
}
