import { readFileSync } from 'node:fs';
import os from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';

const sampleMs = 2000;
/** Cores. On two of them, CPU times already differ by a tenth when others use half of one. */
const mostForOthers = 0.25;

/**
 * Prints what other programs take of this machine, and when that is too much for any figure of the
 * run to mean something. Linux alone counts it.
 */
export async function describeMachine(): Promise<void> {
  if (process.platform !== 'linux') {
    return;
  }
  const cores = os.availableParallelism();
  const before = busyCores();
  await wait(sampleMs);
  const taken = ((busyCores() - before) * 1000) / sampleMs;
  console.log(`${cores} cores, of which other programs use ${taken.toFixed(2)}.`);
  if (taken > mostForOthers) {
    console.log('That is too much: only counts of this run are worth anything, times are not.');
  }
}

/** The CPU time of all programs since the machine started, in seconds of one core. */
function busyCores(): number {
  const [, ...ticks] = /^cpu +(.*)$/m.exec(readFileSync('/proc/stat', 'utf8')) ?? [];
  const [user = 0, nice = 0, system = 0, , , irq = 0, softIrq = 0, steal = 0] = (ticks[0] ?? '')
    .split(' ')
    .map(Number);
  return (user + nice + system + irq + softIrq + steal) / 100;
}
