import { execFileSync } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';

/** How many processes are stopped at a time. */
const atATime = 2;

/** In milliseconds. */
const shortestPause = 100;
const longestPause = 500;
const longestTimeBetween = 300;

/** Of what tests start; not of a shell or of `ps`. */
const programs = /^(?:MainThread|chrom|headless|node|workerd)/;

/**
 * Stops some of the processes that a command has started for a moment, again and again and at
 * random, as a busy machine does. What waits for a time instead of an event then fails.
 *
 * @param pid of the command, which itself goes on
 * @returns ends it, once all processes go on
 */
export function pauseProcessesOf(pid: number): () => Promise<void> {
  let isEnding = false;
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
      await wait(between(shortestPause, longestPause));
      goOn();
      await wait(between(0, longestTimeBetween));
    }
  };
  const running = run();
  return async () => {
    isEnding = true;
    await running;
    process.off('SIGINT', leave).off('SIGTERM', leave);
  };
}

function descendantsOf(root: number): number[] {
  const rows = execFileSync('ps', ['-eo', 'pid=,ppid=,comm='], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/));
  const found = new Set([String(root)]);
  // A parent may come after its child.
  for (let before = 0; before !== found.size; ) {
    before = found.size;
    for (const [pid = '', parent = ''] of rows) {
      if (found.has(parent)) {
        found.add(pid);
      }
    }
  }
  return rows
    .filter(([pid = '', , name = '']) => found.has(pid) && programs.test(name))
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
