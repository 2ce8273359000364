import { execFileSync } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { PlainFailure } from './plain-failure.ts';

/** How many processes are stopped at a time. */
const atATime = 2;

/** In milliseconds. */
const shortestPause = 100;
const longestPause = 500;
const longestTimeBetween = 300;

/** The names of processes that tests start; not a shell or `ps`. */
const programs = /^(?:MainThread|chrom|headless|node|workerd)/;

/**
 * Keeps stopping processes that a command has started, at random and for a moment, as a busy
 * machine does. What counts on time instead of waiting for an event then fails.
 *
 * @param pid of the command, which is never stopped itself
 * @returns ends this when all processes run again
 * @throws PlainFailure at its end if there was no process to stop
 */
export function pauseProcessesOf(pid: number): () => Promise<void> {
  let isEnding = false;
  let count = 0;
  let stopped: number[] = [];
  const goOn = () => {
    for (const each of stopped) {
      send(each, 'SIGCONT');
    }
    stopped = [];
  };
  const leave = () => {
    goOn();
    process.exit(1);
  };
  // A stopped process would outlive the command.
  process.once('SIGINT', leave).once('SIGTERM', leave);
  const run = async () => {
    while (!isEnding) {
      stopped = pick(descendantsOf(pid), atATime).filter((each) => send(each, 'SIGSTOP'));
      count += stopped.length;
      await wait(between(shortestPause, longestPause));
      goOn();
      await wait(between(0, longestTimeBetween));
    }
  };
  const running = run();
  // Thrown at the end.
  running.catch(() => {});
  return async () => {
    isEnding = true;
    await running;
    process.off('SIGINT', leave).off('SIGTERM', leave);
    if (count === 0) {
      throw new PlainFailure('No process was stopped: this shows nothing.');
    }
    console.log(`Processes were stopped ${count} times.`);
  };
}

function descendantsOf(root: number): number[] {
  const rows = execFileSync('ps', ['-eo', 'pid=,ppid=,comm='], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/));
  const pids = new Set([String(root)]);
  // A parent may come after its child.
  for (let before = 0; before !== pids.size; ) {
    before = pids.size;
    for (const [pid = '', parent = ''] of rows) {
      if (pids.has(parent)) {
        pids.add(pid);
      }
    }
  }
  return rows
    .filter(([pid = '', , name = '']) => pids.has(pid) && programs.test(name))
    .map(([pid]) => Number(pid))
    .filter((pid) => pid !== root);
}

function pick(pids: number[], count: number): number[] {
  return pids
    .map((pid) => ({ pid, order: Math.random() }))
    .sort((one, other) => one.order - other.order)
    .slice(0, count)
    .map(({ pid }) => pid);
}

/** Whether the process was still there. */
function send(pid: number, signal: 'SIGSTOP' | 'SIGCONT'): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}

function between(shortest: number, longest: number): number {
  return shortest + Math.random() * (longest - shortest);
}
