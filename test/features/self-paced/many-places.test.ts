import { env } from 'cloudflare:workers';
import { eq, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { ask as askDatabase } from '#db/query.ts';
import { users } from '#db/schema/users.ts';
import { countCohortsNotOver, countOwnCohorts } from '#features/planning/own-cohorts.ts';
import { findPublicPage } from '#features/public-pages/find-public-pages.ts';
import { findTargets } from '#features/roster/find-targets.ts';
import { settled } from '#support/background.ts';
import { createClient } from '#support/client.ts';
import { contextOn } from '#support/context.ts';
import {
  createCohortRow,
  createCourseRow,
  createEnrollment,
  db,
  uniqueEmail,
} from '#support/factories.ts';
import { grownReads, type Recorded, recordDatabase } from '#support/recorder.ts';
import { mailsTo, requestTokenIn } from '#support/resend.ts';
import { startFresh } from '../places/fresh.ts';
import { confirmPath, formOf, requestsPath, setTime } from '../places/support.ts';
import { createSelfPaced } from './owner.ts';

const fresh = startFresh();

type Owner = Awaited<ReturnType<typeof createSelfPaced>>;

/** More than any page lists; at night as many as an open run can have. */
const few = 200;
const many = env.EVERY_CASE === '1' ? 20_000 : 500;

test(`with ${many} people, what is read and written takes as many rows as with ${few}`, async () => {
  const owner = await createSelfPaced();
  const target = await createSelfPacedTarget(owner);
  await db
    .update(users)
    .set({ selectedCourseId: owner.course.id })
    .where(eq(users.id, owner.user.id));
  await enrollMany(owner, few);
  const before = await drive(owner, target);
  await enrollMany(owner, many - few - 100);
  // What has changed at the moment of a change is read with it.
  setTime(Date.now() + 60 * 60 * 1000);
  const after = await drive(owner, target);
  const grown = [...after].flatMap(([name, statements]) =>
    grownReads(before.get(name) ?? [], statements, 20)
      // How many mailboxes have agreed is found in all that an owner's people have done.
      .filter((line) => !line.includes('AS mailbox'))
      .map((line) => `${name}: ${line}`),
  );
  expect(grown).toEqual([]);
  expect(before.size).toBeGreaterThan(10);

  // Not enrolled in the gate, only counted.
  const { counts } = await owner.read();
  await db.run(sql`UPDATE run_counts SET people = people + ${20_000 - counts.enrolled}
    WHERE rowid = (SELECT min(rowid) FROM run_counts WHERE cohort_id = ${owner.run.id})`);
  const response = await createClient().request('POST', requestsPath(owner.slug), await formOf());
  expect(response.status).toBe(422);
  expect(await response.json()).toMatchObject({
    code: 'too_many_people',
    message: 'This course holds 20,000 people at most.',
  });
});

/** A cohort of the same owner, for those who move there. */
async function createSelfPacedTarget({ user }: Owner) {
  const course = await createCourseRow(user.id, { courseType: 'cohort' });
  return createCohortRow(course, { publishedAt: new Date() });
}

/** All statements by what they are for. */
async function drive(owner: Owner, target: { id: string; ownerId: string }) {
  const { client, course, run, slug } = owner;
  const base = `/api/cohorts/${run.id}/`;
  const recording = recordDatabase(env.DB);
  const bindings = { DB: recording.db };
  const recorded = new Map<string, Recorded[]>();
  const take = (name: string) => recorded.set(name, recording.take().statements);
  const call = async (method: string, path: string, input?: unknown, by = client) => {
    const response = await by.request(method, path, input, { bindings });
    await settled();
    expect(response.status, `${method} ${path}: ${await response.clone().text()}`).toBeLessThan(
      300,
    );
    take(`${method} ${path.replace(/[0-9a-f-]{36}/g, '{id}')}`);
    return response;
  };
  const ctx = contextOn(bindings);
  const ownerId = sql`${owner.user.id}`;

  await call('GET', base);
  await call('PATCH', base, { capacity: 30, waitlist: false });
  await call('POST', `${base}enrollments/`, { ...guest(), as: 'enrolled', over_capacity: true });
  await call('GET', `/api/public/cohorts/${slug}/`);
  await findPublicPage(ctx, slug);
  take('public page');
  await call('PATCH', base, { capacity: null, waitlist: true });
  await call('GET', `/api/public/cohorts/${slug}/`);
  const form = await formOf();
  await call('POST', requestsPath(slug), form, createClient());
  const token = requestTokenIn(mailsTo(form.email, fresh.resend.accepted).at(-1));
  await call('POST', confirmPath, { token }, createClient());
  await call('POST', `${base}enrollments/`, { ...guest(), as: 'invited' });
  const list = { text: `name,email\nAda,${uniqueEmail()}`, as: 'enrolled', informed: true };
  await call('POST', `${base}imports/`, { ...list, dry_run: true });
  await call('POST', `${base}imports/`, list);
  const { id } = await createEnrollment(target);
  await call('POST', `/api/cohorts/${target.id}/enrollments/${id}/transfer/`, {
    cohort_id: run.id,
  });
  await call('POST', `${base}enrollments/${id}/transfer/`, { cohort_id: target.id });
  await call('PATCH', `/api/courses/${course.id}/`, { course_type: 'cohort' });
  await call('PATCH', `/api/courses/${course.id}/`, { course_type: 'evergreen' });
  await askDatabase(ctx, {
    targets: findTargets(target.id)(ctx, ownerId),
    own: countOwnCohorts(ctx, ownerId, ownerId),
    notOver: countCohortsNotOver(ctx, ownerId),
  });
  take('pages');
  return recorded;
}

function guest() {
  return { name: 'Ada Byron', email: uniqueEmail() };
}

/** Enrolls people a while ago, in two statements. */
async function enrollMany({ run, user }: Owner, count: number) {
  const at = Date.now() - 24 * 60 * 60 * 1000;
  const batch = crypto.randomUUID();
  const numbers = sql`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})`;
  await db.run(sql`INSERT INTO people (id, owner_id, email, email_canonical, name, name_key, language,
      source, link_version, created_at, updated_at)
    ${numbers} SELECT ${batch} || i, ${user.id}, ${batch} || i || '@many.example',
      ${batch} || i || '@many.example', 'Person ' || i, 'person ' || i, 'en', 'self', 1, ${at}, ${at}
    FROM n`);
  await db.run(sql`INSERT INTO enrollments (id, owner_id, cohort_id, person_id, name_key, status,
      changed_by, status_changed_at, created_at)
    ${numbers} SELECT ${batch} || 'e' || i, ${user.id}, ${run.id}, ${batch} || i, 'person ' || i,
      'enrolled', 'person', ${at}, ${at}
    FROM n`);
}
