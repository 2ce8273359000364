import { readdirSync, readFileSync } from 'node:fs';
import type { LegacyWorkerOptions, Miniflare } from 'miniflare';
import { PlainFailure } from '../scripts/local/plain-failure.ts';
import type { LocalSettings } from '../scripts/local/settings.ts';
import { startBuiltWorker } from '../scripts/local/worker.ts';
import { type Ask, askOnce, load } from './client.ts';
import { type HeapInspector, inspectHeap } from './heap.ts';

/** A workerd process and its measurements. */
export type Workerd = {
  miniflare: Miniflare;
  pid: number;
  /** The worker's own address, without Miniflare's workers in front. */
  addressOf: (worker: string) => Promise<URL>;
  /** Inspects a worker's heap, in a process started with an inspector. */
  inspect: (worker: string) => Promise<HeapInspector>;
  close: () => Promise<void>;
};

/** The unit of process times on Linux. */
const ticksPerSecond = 100;

/** Runs these workers in one process, on free loopback ports. */
export async function startWorkerd(
  settings: LocalSettings,
  workers: LegacyWorkerOptions[],
  options: { isInspected?: boolean } = {},
): Promise<Workerd> {
  const before = workerdChildren();
  const { miniflare, close } = await startBuiltWorker(
    settings,
    workers.map((worker) => ({ ...worker, unsafeDirectSockets: [{ host: '127.0.0.1', port: 0 }] })),
    options,
  );
  const [pid, ...others] = workerdChildren().filter((child) => !before.includes(child));
  if (pid === undefined || others.length > 0) {
    await close();
    throw new Error('It is not clear which process is the workerd that was started.');
  }
  const addressOf = (worker: string) => miniflare.unsafeGetDirectURL(worker);
  return {
    miniflare,
    pid,
    addressOf,
    inspect: async (worker) => {
      const address = await addressOf(worker);
      const inspector = new URL(`/core:user:${worker}`, await miniflare.getInspectorURL());
      return inspectHeap(inspector.href, () => askOnce(address, { path: '/nothing-here' }));
    },
    close,
  };
}

/** @throws PlainFailure where processes cannot be measured this way */
export function requireProcessAccounting(): void {
  if (process.platform !== 'linux') {
    throw new PlainFailure('CPU and memory are read from /proc, which Linux alone has.');
  }
}

/** The process's total CPU time so far, in user mode and in the kernel, for all threads. */
export function cpuMilliseconds(pid: number): number {
  const [user = 0, system = 0] = statOf(pid).slice(11, 13).map(Number);
  return ((user + system) * 1000) / ticksPerSecond;
}

/** The CPU time of one request in ms: the mean of so many. */
export async function cpuOf(
  { pid }: Workerd,
  address: URL,
  ask: Ask,
  count: number,
): Promise<number> {
  const before = cpuMilliseconds(pid);
  let left = count;
  await load(address, () => {
    left -= 1;
    return left < 0 ? null : ask;
  });
  return (cpuMilliseconds(pid) - before) / count;
}

/** The age of a process, to 10 ms. */
export function ageMilliseconds(pid: number): number {
  const [uptimeSeconds = ''] = readFileSync('/proc/uptime', 'utf8').split(' ');
  return Number(uptimeSeconds) * 1000 - (Number(statOf(pid)[19]) * 1000) / ticksPerSecond;
}

function workerdChildren(): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        const isOurs = Number(statOf(pid)[1]) === process.pid;
        return isOurs && readFileSync(`/proc/${pid}/comm`, 'utf8').startsWith('workerd');
      } catch {
        // The process has ended.
        return false;
      }
    });
}

/**
 * The fields of /proc/PID/stat from the third on: earlier ones may contain spaces. See
 * proc_pid_stat(5).
 */
function statOf(pid: number): string[] {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return text.slice(text.lastIndexOf(')') + 2).split(' ');
}
