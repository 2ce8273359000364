import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** Of a process: its parent, and the seconds used by itself and by the children it waited for. */
type Usage = { parent: number; own: number; ended: number };

/** Linux reports these times in hundredths of a second on every machine. */
const ticksPerSecond = 100;

/** The type of the annotation with which a browser test notes its cost. */
export const processorSeconds = 'processor seconds';

const watchEveryMs = 1_000;

/** Null if there is no such process, or no /proc. */
function usageOf(pid: number): Usage | null {
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
export function familyOf(pid: number): Map<number, Usage> {
  const all = new Map<number, Usage>();
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
 * @returns a function that stops and returns the count
 */
export function watchProcessor(pid: number): () => number {
  const seen = new Map<number, Usage>();
  const timer = setInterval(() => {
    for (const [member, usage] of familyOf(pid)) {
      // Its first parent: when that ends, Linux gives it another.
      seen.set(member, { ...usage, parent: seen.get(member)?.parent ?? usage.parent });
    }
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
    return sumOf(pid);
  };
}
