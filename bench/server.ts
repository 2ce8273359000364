import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import type { LegacyWorkerOptions } from 'miniflare';
import { PlainFailure } from '../scripts/local/plain-failure.ts';
import type { LocalSettings } from '../scripts/local/settings.ts';
import { contentOf, scriptsOf, weigh } from '../test/budgets/built-files.ts';
import { buildTwin, type Generated } from './build-twin.ts';
import { type Ask, askOnce, load } from './client.ts';
import { addCohorts } from './cohorts.ts';
import { type DocumentNode, htmlModule, linesOf, reactModule, withoutScripts } from './document.ts';
import { median, noteAim, printComparisons, printTable } from './figures.ts';
import type { LiveHeap } from './heap.ts';
import {
  benchedWorker,
  benchSettings,
  homeOf,
  listOf,
  mixedRequests,
  visitHome,
} from './lectern.ts';
import {
  ada,
  addPerson,
  type Course,
  createTables,
  model,
  modelSlots,
  type SignedIn,
} from './people.ts';
import {
  ageMilliseconds,
  cpuMilliseconds,
  requireProcessAccounting,
  startWorkerd,
  type Workerd,
} from './workerd.ts';

/** Requests before each worker is measured, so that V8 has compiled the hot code. */
const warmUpRequests = 1000;
/** Rounds for CPU and requests per second. */
const rounds = 7;
/** Measured in CPU time, so that a busy machine takes longer but gives the same figure. */
const blockCpuMs = 500;

/** A user with many courses has as many of them. */
const manyCourses = 300;
/** A user with cohorts has as many of them, with as many live sessions each. */
const [someCohorts, someSessions] = [5, 8];

/** Memory is measured after these numbers of requests. */
const memorySteps = [200, 5000, 12_000] as const;

const coldStartRounds = 4;

/** In ms of CPU above the bare worker. */
const coldStartAim = 330;

/** Of the home page with many courses, in bytes, compressed. */
const documentAim = 14_000;
const scriptsAim = 95_000;

/**
 * What every measurement needs: the settings, the built worker, and a database with a signed-in
 * user.
 */
type Setup = {
  settings: LocalSettings;
  built: LegacyWorkerOptions;
  person: SignedIn;
  /** Has 300 courses. */
  collector: SignedIn;
  /** Has cohorts, of which this is one's public address. */
  teacher: SignedIn & { slug: string };
  generated: Generated;
};

/**
 * Measures the built worker and its twins in one workerd process, and prints ratios. Its temporary
 * folder is always removed at the end.
 *
 * @throws PlainFailure or Error when a measurement fails
 */
export async function benchServer(): Promise<void> {
  requireProcessAccounting();
  const stateFolder = mkdtempSync(path.join(os.tmpdir(), 'lectern-bench-'));
  removeAtExit(stateFolder);
  console.log('Preparing a database and the twins …');
  const setup = await prepare(stateFolder);
  console.log(`CPU and requests per second, ${rounds} rounds …`);
  await measureCpu(setup);
  console.log(`\nMemory, ${memorySteps.at(-1)} requests …`);
  await measureMemory(setup);
  console.log('\nCold starts …');
  await measureColdStarts(setup);
}

async function prepare(stateFolder: string): Promise<Setup> {
  const settings = benchSettings({ stateFolder });
  const built = benchedWorker(settings);
  const parser = await buildTwin('parser', built);
  return withWorkerd(settings, [built, parser], async (workerd) => {
    const database = await workerd.miniflare.getD1Database('DB', 'lectern');
    await createTables(database);
    const modelPage = await pageOf(workerd, 'lectern', await addPerson(database, model));
    const teacher = await visitHome(
      workerd,
      await addPerson(database, { ...ada, email: 'grace@example.com' }),
    );
    const [slug = ''] = await addCohorts(database, teacher, someCohorts, someSessions);
    const courses = Array.from(
      { length: manyCourses },
      (_, index): Course => [`Course ${index}`, 'cohort'],
    );
    return {
      settings,
      built,
      person: await visitHome(workerd, await addPerson(database, ada)),
      collector: await visitHome(
        workerd,
        await addPerson(database, { ...ada, email: 'mary@example.com', courses }),
      ),
      teacher: { ...teacher, slug },
      generated: {
        'generated:html': htmlModule(modelPage, modelSlots),
        'generated:react': reactModule(modelPage, modelSlots),
      },
    };
  });
}

/** Runs workers in one process while a callback uses them. */
async function withWorkerd<Result>(
  settings: LocalSettings,
  workers: LegacyWorkerOptions[],
  action: (workerd: Workerd) => Promise<Result>,
  options: { isInspected?: boolean } = {},
): Promise<Result> {
  const workerd = await startWorkerd(settings, workers, options);
  try {
    return await action(workerd);
  } finally {
    await workerd.close();
  }
}

/** A user's home page from a worker, as workerd's parser reads it. */
async function pageOf(workerd: Workerd, worker: string, person: SignedIn): Promise<DocumentNode[]> {
  const page = await askOnce(await workerd.addressOf(worker), homeOf(person));
  if (page.status !== 200) {
    throw new Error(`The home page of ${worker} answered ${page.status}.`);
  }
  const { body } = await askOnce(await workerd.addressOf('parser'), {
    path: '/',
    method: 'POST',
    body: page.body,
  });
  // The format of bench/twins/parser.ts.
  return withoutScripts(JSON.parse(body) as DocumentNode[]);
}

/** A repeated request to a worker, and what each round measured. */
type Subject = { name: string; address: URL; ask: Ask; cpu: number[]; perSecond: number[] };

async function measureCpu(setup: Setup): Promise<void> {
  const { settings, built, generated, person, collector, teacher } = setup;
  const twins = await Promise.all(
    ['bare', 'query', 'api', 'html', 'react', 'parser'].map((name) =>
      buildTwin(name, built, generated),
    ),
  );
  await withWorkerd(settings, [built, ...twins], async (workerd) => {
    await requireSameAnswers(workerd, person);
    const subject = async (
      name: string,
      worker: string,
      ask = homeOf(person),
    ): Promise<Subject> => ({
      name,
      address: await workerd.addressOf(worker),
      ask,
      cpu: [],
      perSecond: [],
    });
    const bare = await subject('bare worker', 'bare');
    const html = await subject('hand-written HTML', 'html');
    const home = await subject('home page', 'lectern');
    const react = await subject('plain React SSR', 'react');
    const query = await subject('database alone', 'query');
    const list = await subject('API list', 'lectern', listOf(person));
    const sql = await subject('bare SQL', 'api');
    const many = await subject(`home page, ${manyCourses} courses`, 'lectern', homeOf(collector));
    const cohorts = await subject('list of cohorts', 'lectern', {
      ...homeOf(teacher),
      path: '/cohorts',
    });
    const publicPage = await subject("a cohort's public page", 'lectern', {
      path: `/c/${teacher.slug}?lang=en`,
    });
    // Compared subjects run next to each other.
    const subjects = [bare, html, many, home, react, query, list, sql, cohorts, publicPage];
    for (const { address, ask } of subjects) {
      let left = warmUpRequests;
      await load(address, () => {
        left -= 1;
        return left < 0 ? null : ask;
      });
    }
    for (let round = 0; round < rounds; round += 1) {
      await runRound(workerd, subjects);
    }

    const cpu = (one: Subject, other: Subject, aim?: number) => ({
      what: `${one.name} / ${other.name}`,
      of: one.cpu,
      over: other.cpu,
      // What is hardly more than the database swings with it, and React is not ours.
      isHeld: other !== bare && other !== html && one !== react,
      ...(aim !== undefined && { aim }),
    });
    /** The database runs in the same process, as does the limiter. */
    const withoutDatabase = (of: Subject) =>
      of.cpu.map((own, round) => own - ((query.cpu[round] ?? 0) - (bare.cpu[round] ?? 0)));
    const perSecond = (one: Subject, other: Subject) => ({
      what: `${one.name} / ${other.name}`,
      of: one.perSecond,
      over: other.perSecond,
    });
    printComparisons('CPU per request', [
      cpu(home, react, 2.5),
      cpu(home, html),
      cpu(home, bare),
      cpu(list, sql, 1.3),
      cpu(list, bare),
      cpu(react, html),
      cpu(many, home, 1.15),
      cpu(cohorts, home),
      cpu(publicPage, home),
      {
        what: 'without database and limiter: home page / plain React SSR',
        of: withoutDatabase(home),
        over: withoutDatabase(react),
      },
    ]);
    const { body } = await askOnce(many.address, many.ask);
    const bytes = gzipSync(body, { level: 9 }).length;
    noteAim({
      what: `document of home with ${manyCourses} courses, kB gz`,
      target: `≤ ${documentAim / 1000}`,
      measured: (bytes / 1000).toFixed(1),
      isMet: bytes <= documentAim,
    });
    const page = await askOnce(home.address, home.ask);
    const scripts = scriptsOf(page.body.toString()).map((name) => weigh(contentOf(name)));
    const scriptBytes = scripts.reduce((sum, weight) => sum + weight, 0);
    noteAim({
      what: 'scripts of home before any input, kB gz',
      target: `≤ ${scriptsAim / 1000}`,
      measured: (scriptBytes / 1000).toFixed(1),
      isMet: scriptBytes <= scriptsAim,
    });
    printComparisons('requests per second', [
      perSecond(home, react),
      perSecond(home, html),
      perSecond(home, bare),
      perSecond(list, sql),
      perSecond(list, bare),
    ]);
    printTable(
      ['medians', 'ms of CPU per request', 'without database and limiter', 'requests per second'],
      subjects.map((subject) => [
        subject.name,
        median(subject.cpu).toFixed(3),
        subject === bare ? '' : median(withoutDatabase(subject)).toFixed(3),
        median(subject.perSecond).toFixed(0),
      ]),
    );
  });
}

/** A B, B A: a steady change affects all alike. */
async function runRound({ pid }: Workerd, subjects: Subject[]): Promise<void> {
  const blocks = [...subjects, ...subjects.toReversed()];
  const sums = new Map(subjects.map((subject) => [subject, { cpu: 0, requests: 0, wall: 0 }]));
  for (const subject of blocks) {
    const cpuBefore = cpuMilliseconds(pid);
    const { requests, milliseconds } = await load(subject.address, () =>
      cpuMilliseconds(pid) - cpuBefore < blockCpuMs ? subject.ask : null,
    );
    const sum = sums.get(subject) ?? { cpu: 0, requests: 0, wall: 0 };
    sum.cpu += cpuMilliseconds(pid) - cpuBefore;
    sum.requests += requests;
    sum.wall += milliseconds;
    sums.set(subject, sum);
  }
  for (const [subject, { cpu, requests, wall }] of sums) {
    subject.cpu.push(cpu / requests);
    subject.perSecond.push((requests * 1000) / wall);
  }
}

/**
 * Twins are comparable only if they give the same answer.
 *
 * @throws PlainFailure with the first line that differs
 */
async function requireSameAnswers(workerd: Workerd, person: SignedIn): Promise<void> {
  const expected = linesOf(await pageOf(workerd, 'lectern', person));
  for (const twin of ['html', 'react']) {
    const lines = linesOf(await pageOf(workerd, twin, person));
    const at = lines.findIndex((line, index) => line !== expected[index]);
    if (at !== -1 || lines.length !== expected.length) {
      throw new PlainFailure(
        `The twin "${twin}" is no longer the home page: at line ${at} it has ${JSON.stringify(lines[at])} instead of ${JSON.stringify(expected[at])}. Its markup is written by bench/document.ts out of the page of the model in bench/people.ts: teach them what is new on the page.`,
      );
    }
  }
  const [list, twinList] = await Promise.all([
    askOnce(await workerd.addressOf('lectern'), listOf(person)),
    askOnce(await workerd.addressOf('api'), listOf(person)),
  ]);
  if (list.body !== twinList.body) {
    throw new PlainFailure(
      `The API lists courses otherwise than its twin: ${list.body} instead of ${twinList.body}. Change bench/twins/api.ts with it.`,
    );
  }
}

/** The built worker alone in a process, after forced collections. */
async function measureMemory(setup: Setup): Promise<void> {
  const live = await measureHeap(setup);
  const [first, ...later] = memorySteps;
  const bytesAfter = (step: number) => live.get(step)?.bytes ?? Number.NaN;
  printComparisons(
    'memory',
    later.map((step) => ({
      what: `live heap after ${step} mixed requests / after ${first}`,
      of: [bytesAfter(step)],
      over: [bytesAfter(first)],
      aim: 1.05,
      isHeld: true,
    })),
  );
  printTable(
    ['live heap', 'MB', 'requests in it'],
    memorySteps.map((step) => [
      `after ${step}`,
      (bytesAfter(step) / 1e6).toFixed(2),
      String(live.get(step)?.requests),
    ]),
  );
}

/** The live heap of one process while it answers, at the request counts of `memorySteps`. */
async function measureHeap({ settings, built, person }: Setup): Promise<Map<number, LiveHeap>> {
  const heaps = new Map<number, LiveHeap>();
  await withWorkerd(
    settings,
    [built],
    async (workerd) => {
      const address = await workerd.addressOf('lectern');
      const mix = mixedRequests(person);
      let asked = 0;
      for (const step of memorySteps) {
        await load(address, () => {
          if (asked === step) {
            return null;
          }
          asked += 1;
          return mix[asked % mix.length] ?? null;
        });
        const inspector = await workerd.inspect('lectern');
        heaps.set(step, await inspector.collect());
        inspector.close();
      }
    },
    { isInspected: true },
  );
  return heaps;
}

/** From the start of the process to the first answer, each worker alone. */
async function measureColdStarts(setup: Setup): Promise<void> {
  const { settings, built, generated, person } = setup;
  const starts = await Promise.all(
    [
      { name: 'home page', worker: built },
      { name: 'plain React SSR', worker: await buildTwin('react', built, generated) },
      { name: 'bare worker', worker: await buildTwin('bare', built) },
    ].map(async (start) => ({ ...start, wall: [] as number[], cpu: [] as number[] })),
  );
  for (let round = 0; round < coldStartRounds; round += 1) {
    const sums = new Map(starts.map((start) => [start, { wall: 0, cpu: 0 }]));
    for (const start of [...starts, ...starts.toReversed()]) {
      await withWorkerd(settings, [start.worker], async (workerd) => {
        const address = await workerd.addressOf(start.worker.name ?? '');
        const answer = await askOnce(address, homeOf(person));
        const sum = sums.get(start) ?? { wall: 0, cpu: 0 };
        sum.wall += ageMilliseconds(workerd.pid) / 2;
        sum.cpu += cpuMilliseconds(workerd.pid) / 2;
        sums.set(start, sum);
        if (answer.status !== 200) {
          throw new Error(`The first answer of ${start.name} was ${answer.status}.`);
        }
      });
    }
    for (const [start, { wall, cpu }] of sums) {
      start.wall.push(wall);
      start.cpu.push(cpu);
    }
  }
  const [home, ...others] = starts;
  printComparisons(
    'cold start',
    others.flatMap((other) => [
      { what: `time, home page / ${other.name}`, of: home?.wall ?? [], over: other.wall },
      {
        what: `CPU of a cold start, home page / ${other.name}`,
        of: home?.cpu ?? [],
        over: other.cpu,
        isHeld: other.name !== 'bare worker',
      },
    ]),
  );
  const aboveBare = (cpu: number[]) => median(cpu) - median(starts.at(-1)?.cpu ?? []);
  printTable(
    ['medians', 'ms to first response', 'ms of CPU', 'above the bare worker'],
    starts.map(({ name, wall, cpu }) => [
      name,
      median(wall).toFixed(0),
      median(cpu).toFixed(0),
      aboveBare(cpu).toFixed(0),
    ]),
  );
  const above = aboveBare(home?.cpu ?? []);
  noteAim({
    what: 'cold start of home, CPU above the bare worker, ms',
    target: `≤ ${coldStartAim}`,
    measured: above.toFixed(0),
    isMet: above <= coldStartAim,
  });
}

/** Miniflare ends workerd with this process; the folder is removed on every exit. */
function removeAtExit(folder: string): void {
  process.on('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  process.once('SIGINT', () => process.exit(130));
  process.once('SIGTERM', () => process.exit(143));
}
