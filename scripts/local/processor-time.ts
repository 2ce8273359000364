import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** Of a process: its parent, and the seconds used by itself and by the children it waited for. */
type Counted = { parent: number; own: number; ended: number };

/**
 * The processor seconds that a part of the checks used, and its pace: how many times longer any work
 * took meanwhile than when the limits were set, because the processor is slower or busy.
 */
export type Usage = { seconds: number; pace: number };

/** Linux reports these times in hundredths of a second on every machine. */
const ticksPerSecond = 100;

/** The type of the annotation with which a browser test notes its cost. */
export const processorSeconds = 'processor seconds';

const watchEveryMs = 1_000;

const sampleRows = 10_000;

/** Until its code is compiled, a sample takes longer. */
const uncountedSamples = 20;

/** What a sample took when the limits in test/budgets/limits.ts were set. */
const sampleSecondsAtPace1 = 0.0046;

/** Null if there is no such process, or no /proc. */
function usageOf(pid: number): Counted | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name before may contain spaces and parentheses. Fields 4 and 14 to 17 of proc(5).
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [own = 0, ended = 0] = [11, 13].map(
      (at) => (Number(fields[at]) + Number(fields[at + 1])) / ticksPerSecond,
    );
    return { parent: Number(fields[1]), own, ended };
  } catch {
    return null;
  }
}

/** A process and all that descend from it, as they run now; none where there is no /proc. */
export function familyOf(pid: number): Map<number, Counted> {
  const all = new Map<number, Counted>();
  for (const name of existsSync('/proc') ? readdirSync('/proc') : []) {
    const usage = /^\d+$/.test(name) ? usageOf(Number(name)) : null;
    if (usage !== null) {
      all.set(Number(name), usage);
    }
  }
  const root = all.get(pid);
  const family = new Map(root === undefined ? [] : [[pid, root]]);
  // Children are added while this goes on, so that theirs follow.
  for (const member of family.keys()) {
    for (const [child, usage] of all) {
      if (usage.parent === member) {
        family.set(child, usage);
      }
    }
  }
  return family;
}

/** The processor seconds of these processes so far, with those of children they waited for. */
export function secondsOf(pids: Iterable<number>): number {
  return [...pids].reduce((sum, pid) => {
    const { own, ended } = usageOf(pid) ?? { own: 0, ended: 0 };
    return sum + own + ended;
  }, 0);
}

/**
 * Counts the processor seconds of a process and its descendants. It reads them every second, because
 * a parent does not get those of a killed browser.
 *
 * @returns a function that stops, and returns the count with the pace of samples taken meanwhile
 */
export function watchProcessor(pid: number): () => Usage {
  const seen = new Map<number, Counted>();
  const samples: number[] = [];
  Array.from({ length: uncountedSamples }, secondsOfSample);
  const timer = setInterval(() => {
    for (const [member, usage] of familyOf(pid)) {
      // Its first parent: when that ends, Linux gives it another.
      seen.set(member, { ...usage, parent: seen.get(member)?.parent ?? usage.parent });
    }
    samples.push(secondsOfSample());
  }, watchEveryMs);
  /** Of a process and its descendants, including those that ended between two readings. */
  const sumOf = (member: number): number => {
    const { own, ended } = seen.get(member) ?? { own: 0, ended: 0 };
    const children = [...seen].filter(([, { parent }]) => parent === member);
    const known = children.reduce((sum, [child]) => sum + sumOf(child), 0);
    return own + Math.max(known, ended);
  };
  return () => {
    clearInterval(timer);
    const sampled = samples.reduce((sum, seconds) => sum + seconds, 0);
    // Only their mean is exact: Linux counts what a thread uses a few milliseconds late.
    const pace = samples.length === 0 ? 1 : sampled / (samples.length * sampleSecondsAtPace1);
    return { seconds: sumOf(pid), pace };
  };
}

/** Does a fixed piece of work, and returns its processor seconds. */
function secondsOfSample(): number {
  const before = process.threadCpuUsage();
  const rows = Array.from({ length: sampleRows }, (_, index) => ({ index, name: `row ${index}` }));
  const copied = JSON.parse(JSON.stringify(rows)) as typeof rows;
  copied.sort((a, b) => a.name.localeCompare(b.name, 'en'));
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000_000;
}
