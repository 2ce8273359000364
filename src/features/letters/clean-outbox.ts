import 'server-only';
import { type SQL, sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { ask, db } from '#db/query.ts';
import { blockInvitations, type OwnersAddress } from '#features/suppression/blocked-addresses.ts';
import { dayMs, minuteMs } from '#lib/time/calendar.ts';

/** Limits one statement, so that it does not block the database for long. */
const chunkRows = 1_000;
/** The next run does the rest. */
const timeLimitMs = 5 * minuteMs;

/** How long it is known what was sent. */
export const keptMs = 90 * dayMs;

/** Of what was sent or given up, as the index `mails_due_done_index` has it. */
function closedRows(which: SQL) {
  return sql`(SELECT rowid FROM mails_due
    WHERE (sent_at IS NOT NULL OR failed_at IS NOT NULL) AND ${which} LIMIT ${chunkRows})`;
}

/**
 * Empties the texts of emails a week after they were done, and deletes the rows after 90 days; but
 * those of a deleted account after the week. Of a complaint, it stays known for ever that its
 * sender does not write to the address again by themselves.
 */
export async function cleanOutbox(ctx: Context): Promise<void> {
  const start = ctx.now().getTime();
  await keepComplaints(ctx, start - keptMs);
  const hasOldText = sql`(payload = '') = 0 AND due_at <= ${start - 7 * dayMs}`;
  let [emptied, deleted, isDone] = [0, 0, false];
  while (!isDone && ctx.now().getTime() - start < timeLimitMs) {
    const { ownerless, texts, rows, shared } = await ask(ctx, {
      // No one is left whose history it is.
      ownerless: db.run(sql`DELETE FROM mails_due
        WHERE rowid IN ${closedRows(sql`${hasOldText} AND owner_id IS NULL`)}`),
      texts: db.run(sql`UPDATE mails_due SET payload = '', text_id = NULL
        WHERE rowid IN ${closedRows(hasOldText)}`),
      rows: db.run(sql`DELETE FROM mails_due WHERE rowid IN
        ${closedRows(sql`(payload = '') = 1 AND due_at <= ${start - keptMs}`)}`),
      shared: db.run(sql`DELETE FROM mail_texts WHERE rowid IN
        (SELECT t.rowid FROM mail_texts t WHERE t.created_at <= ${start - 7 * dayMs}
          AND NOT EXISTS (SELECT 1 FROM mails_due m WHERE m.text_id = t.id)
          LIMIT ${chunkRows})`),
    });
    emptied += texts.meta.changes;
    deleted += rows.meta.changes + ownerless.meta.changes;
    isDone = [ownerless, texts, rows, shared].every(({ meta }) => meta.changes < chunkRows);
  }
  ctx.observe.log('outbox_cleaned', { emptied, deleted, is_done: isDone });
}

/** Turns the complaints that are about to be forgotten into wishes for no invitations. */
async function keepComplaints(ctx: Context, until: number): Promise<void> {
  const { rows } = await ask(ctx, {
    rows: db.all<OwnersAddress>(sql`SELECT DISTINCT owner_id AS ownerId, to_canonical AS emailCanonical
      FROM mails_due WHERE complained_at IS NOT NULL AND owner_id IS NOT NULL
        AND to_canonical <> '' AND due_at <= ${until}`),
  });
  for (const addressee of rows) {
    await ask(ctx, { blocked: await blockInvitations(ctx, addressee) });
  }
}
