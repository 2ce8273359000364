import { afterEach, beforeEach, vi } from 'vitest';
import { counters } from '#db/schema/counters.ts';
import { settled } from '#support/background.ts';
import { db } from '#support/factories.ts';
import { fakeResend } from '#support/resend.ts';
import { start } from './storm.ts';
import { setTime } from './support.ts';

/**
 * Each test of the file begins at `start`, with a stand-in for Resend and with limits that count
 * nothing yet.
 */
export function startFresh(): void {
  beforeEach(async () => {
    setTime(start);
    fakeResend();
    await db.delete(counters);
  });
  afterEach(async () => {
    await settled();
    vi.useRealTimers();
  });
}
