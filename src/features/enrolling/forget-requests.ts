import 'server-only';
import { type SQL, sql } from 'drizzle-orm';
import { db, query } from '#db/query.ts';

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
