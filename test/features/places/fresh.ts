import { beforeEach } from 'vitest';
import { counters } from '#db/schema/counters.ts';
import { mailsDue } from '#db/schema/outbox.ts';
import { db } from '#support/factories.ts';
import { fakeResend } from '#support/resend.ts';
import { start } from './storm.ts';
import { setTime } from './support.ts';

/**
 * Each test of the file begins at `start`, with a stand-in for Resend, an empty outbox, and limits
 * that count nothing yet.
 *
 * @returns the stand-in of the test that runs
 */
export function startFresh(): { readonly resend: ReturnType<typeof fakeResend> } {
  let resend: ReturnType<typeof fakeResend>;
  beforeEach(async () => {
    setTime(start);
    resend = fakeResend();
    await db.delete(counters);
    await db.delete(mailsDue);
  });
  return {
    get resend() {
      return resend;
    },
  };
}
