import { setTimeout as wait } from 'node:timers/promises';
import {
  type BuiltWorker,
  createCohort,
  createVisitor,
  requestPlace,
  signUpPerson,
  startBuiltWorker,
  type Visitor,
} from '../test/built/worker.ts';
import { median, printTable } from './figures.ts';

/** All of them come from one network. */
const limits = {
  requests_per_ip: [],
  cohort_requests: [],
  participation_per_ip: [],
  cohorts_per_user: [],
  mails_per_ip: [],
};

const people = 200;
const places = 120;
const minuteMs = 60_000;
/** Enough for a median of those who come one after the other. */
const idlePeople = 10;

type Outcome = { status: number; milliseconds: number };

/**
 * People enroll over a minute while the owner reads the roster, changes the number of places and
 * adds someone; before that, a few enroll one after the other. Prints how much longer a
 * confirmation takes then.
 *
 * @throws Error when an answer is not a success, or when the places do not add up
 */
export async function benchEnrolling(): Promise<void> {
  const built = await startBuiltWorker({ LIMITS: limits });
  try {
    const person = { email: 'ada@example.com', firstName: 'Ada', lastName: 'Lovelace' };
    const owner = await signUpPerson(built, { ...person, courseName: 'Biology 101' });
    const idle = await createCohort(owner);
    const alone: Outcome[] = [];
    for (let index = 0; index < idlePeople; index += 1) {
      alone.push(await enroll(built, idle));
    }

    const cohort = await createCohort(owner);
    await owner.send('PATCH', `/api/cohorts/${cohort.id}/`, { capacity: places });
    const end = Date.now() + minuteMs;
    const [together, work] = await Promise.all([
      Promise.all(
        Array.from({ length: people }, async (_, index) => {
          await wait((index / people) * minuteMs);
          return enroll(built, cohort);
        }),
      ),
      workUntil(end, owner, cohort.id),
    ]);
    const counts = await countsOf(built, cohort.id);
    const taken = (counts['enrolled'] ?? 0) + (counts['offered'] ?? 0);
    const failed = [...alone, ...together, ...work].filter(({ status }) => status >= 400);
    if (failed.length > 0 || taken !== places || taken + (counts['waitlisted'] ?? 0) !== people) {
      throw new Error(`${failed.length} failed; ${JSON.stringify(counts)} of ${places} places`);
    }
    const [base, loaded] = [alone, together].map((outcomes) =>
      median(outcomes.map(({ milliseconds }) => milliseconds)),
    );
    printTable(
      ['200 people into 120 places over a minute', 'figure'],
      [
        ['answers that failed', '0'],
        ['enrolled and offered, waiting', `${taken}, ${counts['waitlisted'] ?? 0}`],
        ["the owner's requests meanwhile", String(work.length)],
        ['a confirmation, over one on its own', ((loaded ?? 0) / (base ?? 0)).toFixed(2)],
      ],
    );
  } finally {
    await built.close();
  }
}

/** Someone asks for a place, reads the email and confirms. */
async function enroll(built: BuiltWorker, cohort: { slug: string }): Promise<Outcome> {
  const token = await requestPlace(built, cohort);
  const visitor = createVisitor(built.server, built.origin);
  const start = performance.now();
  const { status } = await visitor.post('/api/public/requests/confirm/', { token });
  return { status, milliseconds: performance.now() - start };
}

async function workUntil(end: number, owner: Visitor, id: string): Promise<Outcome[]> {
  const done: Outcome[] = [];
  for (let round = 0; Date.now() < end; round += 1) {
    const start = performance.now();
    const { status } =
      round % 2 === 0
        ? await owner.request(`/cohorts/${id}/roster`)
        : await owner.send('PATCH', `/api/cohorts/${id}/`, {
            capacity: round % 4 === 1 ? places - 20 : places,
          });
    done.push({ status, milliseconds: performance.now() - start });
    await wait(1_000);
  }
  const { status } = await owner.send('PATCH', `/api/cohorts/${id}/`, { capacity: places });
  return [...done, { status, milliseconds: 0 }];
}

async function countsOf(built: BuiltWorker, id: string): Promise<Record<string, number>> {
  const rows = await built.sql(
    'SELECT status, count(*) AS count FROM enrollments WHERE cohort_id = ? GROUP BY status',
    id,
  );
  return Object.fromEntries(rows.map(({ status, count }) => [String(status), Number(count)]));
}
