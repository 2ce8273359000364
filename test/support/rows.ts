import { eq } from 'drizzle-orm';
import { addressRestores } from '#db/schema/address-restores.ts';
import { courses } from '#db/schema/courses.ts';
import { knownSignIns } from '#db/schema/known-sign-ins.ts';
import { links } from '#db/schema/links.ts';
import { sessions } from '#db/schema/sessions.ts';
import { suppressedAddresses } from '#db/schema/suppressed-addresses.ts';
import { users } from '#db/schema/users.ts';
import { db } from './factories.ts';

/** All that anybody has, to show that a request has left it as it was. Counters are nobody's. */
export function everything() {
  return db.batch([
    db.select().from(users),
    db.select().from(sessions),
    db.select().from(links),
    db.select().from(addressRestores),
    db.select().from(courses),
    db.select().from(suppressedAddresses),
    db.select().from(knownSignIns),
  ]);
}

export function userRow(id: string) {
  return db.select().from(users).where(eq(users.id, id)).get();
}

/** The id of the course that a user has selected; null without one. */
export async function selectionOf(userId: string) {
  return (await userRow(userId))?.selectedCourseId;
}
