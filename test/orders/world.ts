import { env } from 'cloudflare:workers';
import { sql } from 'drizzle-orm';
import { settled } from '#support/background.ts';
import { type Client, createClient } from '#support/client.ts';
import {
  createCohortRow,
  createCourseRow,
  createOpenRun,
  db,
  uniqueEmail,
} from '#support/factories.ts';
import { createLessonRow, createSectionRow } from '#support/lesson-rows.ts';
import { connectAccount } from '#support/payments.ts';
import { fakeResend } from '#support/resend.ts';
import { fakeStripe } from '#support/stripe.ts';
import { start } from '../features/places/storm.ts';
import { createOwner, setTime } from '../features/places/support.ts';
import { linkFor } from '../features/rights/rights.ts';

export const names = ['Ana', 'Ben', 'Cleo'];

/** How the cohorts of a world are called, in their order. */
export const cohortNames = ['', 'second cohort', 'free cohort', 'cohort in dollars', 'other kind'];

/** Someone's enrollment, and the last page at Stripe on which they could pay. */
export type Place = {
  id: string;
  cohort: string;
  person: { id: string; linkVersion: number };
  checkout: string | null;
};

/** What the first two cohorts are like; the first can be an open run. */
export type WorldValues = NonNullable<Parameters<typeof createOwner>[0]>;

const price = { priceMinor: 24_000, currency: 'EUR' } as const;

/** The kinds of cohorts in which the sequences take place. */
export const kinds: Record<string, WorldValues> = {
  'a free cohort': {},
  'a cohort with payment before enrollment': { ...price, paymentMode: 'online_first' },
  'a cohort with payment at any time': { ...price, paymentMode: 'online' },
  'a cohort with approval': { ...price, paymentMode: 'online_first', joinMode: 'approval' },
  'a cohort by invitation': { ...price, paymentMode: 'online_first', joinMode: 'invitation' },
  'a cohort that has begun': {
    ...{ ...price, paymentMode: 'online_first', enrollmentOverride: 'open' },
    ...{ startsOn: '2026-11-20', startsAt: new Date('2026-11-19T23:00:00Z') },
  },
  'a self-paced course': { ...price, kind: 'open', paymentMode: 'online_first', accessDays: 30 },
};

type Row = Omit<Place, 'person'> & { person: string; version: number };

const paidFirst = { priceMinor: 5_000, currency: 'EUR', paymentMode: 'online_first' } as const;
const dollars = { priceMinor: 30_000, currency: 'USD', paymentMode: 'online' } as const;

/**
 * An instructor with four cohorts of a course and an open run of another, three people, Stripe, the
 * inboxes and a clock.
 *
 * @param accepted gets the last name in the path of each request that is accepted
 */
export async function createWorld(values: WorldValues, accepted = new Set<string>()) {
  let time = start;
  setTime(time);
  const resend = fakeResend();
  const stripe = fakeStripe();
  const { kind = 'dated', ...dated } = { capacity: 1, ...values };
  const { client, user, course, cohort } = await createOwner({ ...dated, accessDays: null });
  const inCourse = (name: string, more: WorldValues) =>
    createCohortRow(course, { name, publishedAt: new Date(start), capacity: 1, ...more });
  const selfPaced = await createCourseRow(user.id, { name: 'Drawing' });
  const run = await createOpenRun(selfPaced, {
    ...{ ...paidFirst, accessDays: 30, publishedAt: new Date(start) },
    ...(kind === 'open' && dated),
  });
  await createLessonRow(await createSectionRow(selfPaced), { publishedAt: new Date(start) });
  const [first, last] = kind === 'open' ? [run, cohort] : [cohort, run];
  const cohorts = [
    first,
    await inCourse('Writing in summer', { ...dated, accessDays: null }),
    await inCourse('Writing for free', {}),
    await inCourse('Writing in America', dollars),
    last,
  ] as const;
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

  /** As someone who has just signed in. */
  async function byOwner(method: string, path: string, input?: object, key?: string) {
    await db.run(
      sql`UPDATE sessions SET created_at = ${time}, last_seen_at = ${time} WHERE user_id = ${user.id}`,
    );
    return send(client, method, path, input, key);
  }

  return {
    ownerId: user.id,
    cohorts,
    people: names.map((name) => ({ name: `${name} Quillfeather`, email: uniqueEmail() })),
    stripe,
    resend,
    /** The ids of pages at Stripe whose addresses were answered; and each person's last. */
    shown: new Set<string>(),
    pages: new Map<string, string>(),
    /** What the owner has taken by hand, and taken back, by the keys of what was accepted. */
    taken: new Map<string, number>(),
    /** The addresses of those who were erased, until they come back. */
    erased: new Set<string>(),
    /** What an answer of the last step should not have said. */
    complaints: new Set<string>(),
    /** When something was done, other than by the clock. */
    acted: { at: time },
    now: () => time,
    pass: (ms: number) => {
      time += ms;
      setTime(time);
    },
    byOwner,
    readByOwner: async <Read>(path: string): Promise<Read | null> => {
      const answer = await byOwner('GET', path);
      return answer.ok ? answer.json<Read>() : null;
    },
    byAnyone: (path: string, input: object) => send(createClient(), 'POST', path, input),
    byLink: async (path: string, { person }: Pick<Place, 'person'>, input: object) => {
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
