import 'server-only';
import { type SQL, sql } from 'drizzle-orm';
import { db, query } from '#db/query.ts';
import { confirmationLifetimeMs } from './confirmation-links.ts';

/**
 * The email that asks to confirm a request keeps what was typed, in its payload: another request
 * with the same address changes the row, but not what this email confirms.
 */

/** The key of the email about a request, by when its link expires. */
export function requestMailKey(id: string, expiresAt: number): string {
  return `request:${id}:${expiresAt - confirmationLifetimeMs}`;
}

/** What email `m` confirms of request `r`, as JSON; older emails confirm the row as it is now. */
export const factsOfRequest = sql<string>`coalesce(m.payload -> '$.request.facts', json_object(
  'name', r.name, 'email', r.email, 'language', r.language,
  'consent_version', r.consent_version, 'question', r.question, 'answer', r.answer))`;

/** Deletes requests `r` and what their emails keep of them. The links in these stop working. */
export function forgetRequests(where: SQL) {
  return query(
    {
      facts: forgetFacts(where),
      rows: db.run(sql`DELETE FROM enrollment_requests AS r WHERE ${where}`),
    },
    () => null,
  );
}

/** Deletes only what the emails keep, for callers that delete the rows themselves. */
export function forgetFacts(where: SQL) {
  return db.run(sql`UPDATE mails_due SET payload = json_remove(payload, '$.request.facts')
    WHERE payload <> '' AND rowid IN (SELECT m.rowid FROM enrollment_requests r
      JOIN mails_due m ON m.dedupe_key > 'request:' || r.id || ':'
        AND m.dedupe_key < 'request:' || r.id || ';'
      WHERE ${where})`);
}
