import { expect, test } from 'vitest';
import { courses } from '#db/schema/courses.ts';
import { links } from '#db/schema/sign-in.ts';
import { suppressedAddresses, webhookDeliveries } from '#db/schema/suppression.ts';
import { users } from '#db/schema/users.ts';
import { db } from '#support/factories.ts';

test('a value that is not in its list is not written, even if its type was cast', () => {
  const wrong = 'something else' as never;
  for (const write of [
    db.update(users).set({ language: wrong }),
    db.update(courses).set({ courseType: wrong }),
    db.update(links).set({ purpose: wrong }),
    db.update(suppressedAddresses).set({ reason: wrong }),
    db.update(webhookDeliveries).set({ provider: wrong }),
  ]) {
    expect(() => write.toSQL()).toThrow('is not in its list');
  }
});
