import { addressRestores } from '#db/schema/address-restores.ts';
import { counters } from '#db/schema/counters.ts';
import { courses } from '#db/schema/courses.ts';
import { knownSignIns } from '#db/schema/known-sign-ins.ts';
import { links } from '#db/schema/links.ts';
import { sessions } from '#db/schema/sessions.ts';
import { suppressedAddresses } from '#db/schema/suppressed-addresses.ts';
import { users } from '#db/schema/users.ts';
import { webhookDeliveries } from '#db/schema/webhook-deliveries.ts';
import { db } from './factories.ts';

export const day = 24 * 60 * 60 * 1000;

/**
 * Somebody who comes after everybody else in every index. A walk along an index ends at the next entry and counts it, so there must
 * always be one: else rows read would depend on where in an index an id happens to fall.
 */
export async function putLast(): Promise<void> {
  const [last, later] = ['~', new Date(Date.now() + 1000 * day)];
  await db.batch([
    db
      .insert(users)
      .values({
        id: last,
        firstName: last,
        lastName: last,
        email: last,
        emailCanonical: last,
        googleSub: last,
        language: 'en',
        createdAt: later,
      })
      .onConflictDoNothing(),
    db
      .insert(courses)
      .values({
        id: last,
        ownerId: last,
        name: last,
        courseType: 'cohort',
        idempotencyKey: last,
        createdAt: later,
        updatedAt: later,
      })
      .onConflictDoNothing(),
    db
      .insert(sessions)
      .values({
        id: last,
        tokenHash: last,
        userId: last,
        userAgent: last,
        createdAt: later,
        lastSeenAt: later,
      })
      .onConflictDoNothing(),
    db
      .insert(links)
      .values({
        id: last,
        tokenHash: last,
        userId: last,
        purpose: 'verification',
        emailCanonical: last,
        sessionId: last,
        stopTokenHash: last,
        createdAt: later,
        expiresAt: later,
      })
      .onConflictDoNothing(),
    db
      .insert(addressRestores)
      .values({
        id: last,
        tokenHash: last,
        userId: last,
        email: last,
        emailCanonical: last,
        createdAt: later,
        expiresAt: later,
      })
      .onConflictDoNothing(),
    db
      .insert(counters)
      .values({ key: last, windowStart: later, count: 1, expiresAt: later })
      .onConflictDoNothing(),
    db.insert(webhookDeliveries).values({ id: last, expiresAt: later }).onConflictDoNothing(),
    db
      .insert(addressRestores)
      .values({
        id: last,
        tokenHash: last,
        userId: last,
        email: last,
        emailCanonical: last,
        createdAt: later,
        expiresAt: later,
      })
      .onConflictDoNothing(),
    db
      .insert(knownSignIns)
      .values({ userId: last, origin: last, expiresAt: later })
      .onConflictDoNothing(),
    db
      .insert(suppressedAddresses)
      .values({ emailCanonical: last, reason: 'bounced', since: later })
      .onConflictDoNothing(),
  ]);
}
