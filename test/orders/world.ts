import { env } from 'cloudflare:workers';
import { sql } from 'drizzle-orm';
import { settled } from '#support/background.ts';
import { type Client, createClient } from '#support/client.ts';
import { createCohortRow, db, uniqueEmail } from '#support/factories.ts';
import { connectAccount } from '#support/payments.ts';
import { fakeResend } from '#support/resend.ts';
import { fakeStripe } from '#support/stripe.ts';
import { start } from '../features/places/storm.ts';
import { createOwner, setTime } from '../features/places/support.ts';
import { linkFor } from '../features/rights/rights.ts';

export const names = ['Ana', 'Ben', 'Cleo'];

/** Someone's enrollment, and the last page at Stripe on which they could pay. */
export type Place = {
  id: string;
  cohort: string;
  person: { id: string; linkVersion: number };
  checkout: string | null;
};

/** What both cohorts are like. */
export type WorldValues = NonNullable<Parameters<typeof createOwner>[0]>;

type Row = Omit<Place, 'person'> & { person: string; version: number };

/**
 * An instructor with two cohorts of a course, three people, Stripe, the inboxes and a clock.
 *
 * @param accepted gets the last name in the path of each request that is accepted
 */
export async function createWorld(values: WorldValues, accepted = new Set<string>()) {
  let time = start;
  setTime(time);
  const resend = fakeResend();
  const stripe = fakeStripe();
  const { client, user, course, cohort } = await createOwner({ capacity: 1, ...values });
  const second = { name: 'Writing in summer', publishedAt: new Date(start), capacity: 1 };
  const other = await createCohortRow(course, { ...second, ...values });
  await connectAccount(user.id);

  /** @throws Error if the request was neither accepted nor refused */
  async function send(from: Client, method: string, path: string, input?: object, key = '') {
    const options = { headers: { 'Idempotency-Key': key } };
    const response = await from.request(method, path, input, options);
    await settled();
    if (response.status >= 500 && response.status !== 503) {
      throw new Error(`${method} ${path} was answered with ${response.status}`);
    }
    if (response.ok) {
      accepted.add(path.split('/').at(-2) ?? '');
    }
    return response;
  }

  return {
    ownerId: user.id,
    cohorts: [cohort, other] as const,
    people: names.map((name) => ({ name: `${name} Quillfeather`, email: uniqueEmail() })),
    stripe,
    resend,
    /** The ids of pages at Stripe whose addresses were answered. */
    shown: new Set<string>(),
    /** What the owner has taken by hand, by the keys of the requests that were accepted. */
    taken: new Map<string, number>(),
    /** The addresses of those who were erased, until they come back. */
    erased: new Set<string>(),
    now: () => time,
    pass: (ms: number) => {
      time += ms;
      setTime(time);
    },
    byOwner: (method: string, path: string, input?: object, key?: string) =>
      send(client, method, path, input, key),
    byAnyone: (path: string, input: object) => send(createClient(), 'POST', path, input),
    byLink: async (path: string, { person }: Place, input: object) => {
      const link = await linkFor(person);
      return send(createClient(), 'POST', `/api/participation/${path}/`, { link, ...input });
    },
    /** In the given cohort, if they are there. */
    placeOf: async (email: string, cohortId: string): Promise<Place | null> => {
      const [row] = await db.all<Row>(sql`SELECT e.id, e.cohort_id AS cohort, p.id AS person,
          p.link_version AS version, (SELECT o.id FROM checkouts o
            WHERE o.enrollment_id = e.id ORDER BY o.rowid DESC) AS checkout
        FROM people p JOIN enrollments e ON e.person_id = p.id
        WHERE p.owner_id = ${user.id} AND p.email_canonical = ${email}
        ORDER BY e.cohort_id = ${cohortId} DESC LIMIT 1`);
      return row ? { ...row, person: { id: row.person, linkVersion: row.version } } : null;
    },
    end: () =>
      env.DB.batch([
        env.DB.prepare('DELETE FROM users WHERE id = ?').bind(user.id),
        env.DB.prepare('DELETE FROM mails_due'),
        env.DB.prepare('DELETE FROM counters'),
      ]),
  };
}

export type World = Awaited<ReturnType<typeof createWorld>>;
