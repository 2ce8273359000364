import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { LegacyWorkerOptions } from 'miniflare';
import { PlainFailure } from '../scripts/local/plain-failure.ts';
import type { LocalSettings } from '../scripts/local/settings.ts';
import { buildTwin, type Generated } from './build-twin.ts';
import { type Ask, askOnce, load } from './client.ts';
import { type DocumentNode, htmlModule, linesOf, reactModule, withoutScripts } from './document.ts';
import { median, printComparisons, printTable, ratios } from './figures.ts';
import { benchedWorker, homeOf, listOf, mixedRequests, visitHome } from './lectern.ts';
import { ada, addPerson, createTables, model, modelSlots, type SignedIn } from './people.ts';
import {
  ageMilliseconds,
  cpuMilliseconds,
  requireProcessAccounting,
  residentMegabytes,
  startWorkerd,
  type Workerd,
} from './workerd.ts';

/** Requests before each worker is measured, so that V8 has compiled the hot code. */
const warmUpRequests = 1000;
/** Rounds for CPU and requests per second. */
const rounds = 7;
/** Measured in CPU time, so that a busy machine takes longer but gives the same figure. */
const blockCpuMs = 500;

const memoryRuns = 3;
/** Memory is measured after these numbers of requests. */
const memorySteps = [500, 5000, 12_000] as const;

const coldStartRounds = 4;

/**
 * What every measurement needs: the settings, the built worker, and a database with a signed-in
 * user.
 */
type Setup = {
  settings: LocalSettings;
  built: LegacyWorkerOptions;
  person: SignedIn;
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
  console.log(`\nMemory, ${memoryRuns + 1} processes with ${memorySteps.at(-1)} requests each …`);
  await measureMemory(setup);
  console.log('\nCold starts …');
  await measureColdStarts(setup);
}

async function prepare(stateFolder: string): Promise<Setup> {
  const settings = {
    appPort: 0,
    googlePort: 0,
    resendPort: 0,
    stateFolder,
    limits: {},
    sentryDsn: null,
  };
  const built = benchedWorker(settings);
  const parser = await buildTwin('parser', built);
  return withWorkerd(settings, [built, parser], async (workerd) => {
    const database = await workerd.miniflare.getD1Database('DB', 'lectern');
    await createTables(database);
    const modelPage = await pageOf(workerd, 'lectern', await addPerson(database, model));
    return {
      settings,
      built,
      person: await visitHome(workerd, await addPerson(database, ada)),
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
  const { settings, built, generated, person } = setup;
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
    // Compared subjects run next to each other.
    const subjects = [bare, html, home, react, query, list, sql];
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
      ratios: ratios(one.cpu, other.cpu),
      ...(aim !== undefined && { aim }),
    });
    /**
     * The database runs in the same process: the cost of its queries alone is subtracted from no
     * one.
     */
    const withoutDatabase = (of: Subject) =>
      of.cpu.map((own, round) => own - ((query.cpu[round] ?? 0) - (bare.cpu[round] ?? 0)));
    const perSecond = (one: Subject, other: Subject) => ({
      what: `${one.name} / ${other.name}`,
      ratios: ratios(one.perSecond, other.perSecond),
    });
    printComparisons('CPU per request', [
      cpu(home, react, 2.5),
      cpu(home, html),
      cpu(home, bare),
      cpu(list, sql, 1.2),
      cpu(list, bare),
      cpu(react, html),
      {
        what: 'the same without the database: home page / plain React SSR',
        ratios: ratios(withoutDatabase(home), withoutDatabase(react)),
      },
    ]);
    printComparisons('requests per second', [
      perSecond(home, react),
      perSecond(home, html),
      perSecond(home, bare),
      perSecond(list, sql),
      perSecond(list, bare),
    ]);
    printTable(
      ['medians', 'ms of CPU per request', 'without the database', 'requests per second'],
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

/** The built worker alone in one process, then in another. */
async function measureMemory(setup: Setup): Promise<void> {
  const resident: Map<number, number>[] = [];
  for (let run = 0; run < memoryRuns; run += 1) {
    resident.push(await measureAfter(setup, {}, restingMegabytes));
  }
  // Separate runs: a forced collection would change the resident set.
  const live = await measureAfter(setup, { isInspected: true }, async (workerd) => {
    const inspector = await workerd.inspect('lectern');
    const heap = await inspector.collect();
    inspector.close();
    return heap;
  });
  const [first, ...later] = memorySteps;
  const residentAfter = (step: number) => resident.map((run) => run.get(step) ?? Number.NaN);
  const bytesAfter = (step: number) => live.get(step)?.bytes ?? Number.NaN;
  printComparisons(
    'memory',
    later.flatMap((step) => [
      {
        what: `live heap after ${step} mixed requests / after ${first}`,
        ratios: [bytesAfter(step) / bytesAfter(first)],
        aim: 1.05,
      },
      {
        what: `in RAM after ${step} mixed requests / after ${first}`,
        ratios: ratios(residentAfter(step), residentAfter(first)),
      },
    ]),
  );
  printTable(
    ['medians', 'live heap, MB', 'live requests', 'in RAM, MB'],
    memorySteps.map((step) => [
      `after ${step}`,
      (bytesAfter(step) / 1e6).toFixed(2),
      String(live.get(step)?.requests),
      median(residentAfter(step)).toFixed(1),
    ]),
  );
}

/**
 * Measures one process repeatedly while it answers, at the request counts of `memorySteps`.
 */
async function measureAfter<Measure>(
  { settings, built, person }: Setup,
  options: { isInspected?: boolean },
  measure: (workerd: Workerd) => Promise<Measure>,
): Promise<Map<number, Measure>> {
  const measures = new Map<number, Measure>();
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
        measures.set(step, await measure(workerd));
      }
    },
    options,
  );
  return measures;
}

/** After a pause, in which garbage may be collected. */
async function restingMegabytes({ pid }: Workerd): Promise<number> {
  await wait(2000);
  const samples: number[] = [];
  for (let count = 0; count < 5; count += 1) {
    samples.push(residentMegabytes(pid));
    await wait(100);
  }
  return median(samples);
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
      { what: `time, home page / ${other.name}`, ratios: ratios(home?.wall ?? [], other.wall) },
      { what: `CPU, home page / ${other.name}`, ratios: ratios(home?.cpu ?? [], other.cpu) },
    ]),
  );
  printTable(
    ['medians', 'ms to first response', 'ms of CPU'],
    starts.map(({ name, wall, cpu }) => [name, median(wall).toFixed(0), median(cpu).toFixed(0)]),
  );
}

/** Miniflare ends workerd with this process; the folder is removed on every exit. */
function removeAtExit(folder: string): void {
  process.on('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  process.once('SIGINT', () => process.exit(130));
  process.once('SIGTERM', () => process.exit(143));
}
