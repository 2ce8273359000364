import { env } from 'cloudflare:workers';
import worker from './index.js';

/**
 * The built worker with a count of its trips to D1, one line per request to D1: `database.test.ts`
 * starts it instead of the worker itself. Requests have to come one at a time.
 */

/** Long enough that independent trips overlap, on a busy machine too. */
const tripMs = 50;

/** D1's answer, one per statement. */
/**
 * @typedef {{ success: boolean, results?: unknown[] | { rows: unknown[] }, meta?: { rows_read:
 * number } }} Answer
 */

/** Starts and ends are numbered in the order in which they happen. */
/**
 * @typedef {{ start: number, end: number, statements: { sql: string, returned: number, read: number
 * }[] }} Trip
 */

/** @type {Trip[]} */
let trips = [];
let clock = 0;
/** Pending trips, and work that continues after an answer. */
let underway = 0;

// All D1 sessions send their requests through this.
const { fetcher } = env.DB;
env.DB.fetcher = { fetch: (url, init) => counted(() => forward(url, init)) };

async function forward(url, init) {
  const trip = { start: ++clock, end: 0, statements: [] };
  trips.push(trip);
  await scheduler.wait(tripMs);
  const response = await fetcher.fetch(url, init);
  const text = await response.text();
  trip.end = ++clock;
  const asked = [JSON.parse(init.body)].flat();
  /** @type {Answer[]} */
  const answers = [JSON.parse(text)].flat();
  trip.statements = asked.map(({ sql }, index) => ({
    sql,
    returned: rowsIn(answers[index]?.results).length,
    read: answers[index]?.meta?.rows_read ?? 0,
  }));
  return new Response(text, response);
}

function rowsIn(results = []) {
  return Array.isArray(results) ? results : results.rows;
}

async function counted(work) {
  underway += 1;
  try {
    return await work();
  } finally {
    underway -= 1;
  }
}

export default {
  /** `/trips` returns the count since the last call, once nothing is pending. */
  async fetch(request, bindings, ctx) {
    if (new URL(request.url).pathname === '/trips') {
      do {
        await scheduler.wait(tripMs);
      } while (underway > 0);
      const taken = trips;
      trips = [];
      return Response.json(taken);
    }
    return worker.fetch(request, bindings, {
      props: ctx.props,
      waitUntil: (work) => ctx.waitUntil(counted(() => work)),
      passThroughOnException: () => ctx.passThroughOnException(),
    });
  },
};
