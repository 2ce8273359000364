import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { ask } from '#db/query.ts';
import { cleanOutbox } from '#features/letters/clean-outbox.ts';
import { drainOutbox } from '#features/letters/drain-outbox.ts';
import { queueStatusMails } from '#features/outbox/status-mails.ts';
import { contextOn } from '#support/context.ts';
import { createEnrollment } from '#support/factories.ts';
import { recordDatabase } from '#support/recorder.ts';
import { fakeResend } from '#support/resend.ts';
import { startFresh } from '../places/fresh.ts';
import { start } from '../places/storm.ts';
import { createOwner, setTime } from '../places/support.ts';

const day = 24 * 60 * 60 * 1000;

startFresh();

test('one email writes at most 20 rows, from its cause until it is forgotten', async () => {
  const { accepted } = fakeResend();
  const { cohort } = await createOwner();
  await createEnrollment(cohort, { statusChangedAt: new Date(start) });
  const recording = recordDatabase(env.DB);
  const ctx = contextOn({ DB: recording.db });
  /** How many rows of emails, with their indexes, something writes. */
  const rowsWritten = async (act: () => Promise<unknown>) => {
    recording.take();
    await act();
    const { statements } = recording.take();
    return statements
      .filter(({ sql }) => /^(INSERT INTO|UPDATE|DELETE FROM) mails_due/.test(sql))
      .reduce((sum, statement) => sum + (statement.rowsWritten ?? 0), 0);
  };
  const later = (days: number) => {
    setTime(start + days * day);
    return cleanOutbox(ctx);
  };
  const inserted = await rowsWritten(() =>
    ask(ctx, { ids: queueStatusMails(ctx, start, [cohort.id]) }),
  );
  const sent = await rowsWritten(() => drainOutbox(ctx, null));
  expect(accepted).toHaveLength(1);
  const emptied = await rowsWritten(() => later(7));
  const deleted = await rowsWritten(() => later(90));

  expect(inserted + sent + emptied + deleted).toBeLessThanOrEqual(20);
});
