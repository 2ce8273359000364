import { env } from 'cloudflare:workers';
import worker from './index.js';

/**
 * The built worker with a record of its trips to D1: pages.test.ts starts it instead of the worker
 * itself. Requests have to come one at a time.
 */

/** @type {{ sql: string, params: unknown[], read: number }[][]} */
let trips = [];
/** Pending trips, and work that continues after an answer. */
let underway = 0;

// All D1 sessions send their requests through this.
const { fetcher } = env.DB;
env.DB.fetcher = { fetch: (url, init) => counted(() => forward(url, init)) };

async function forward(url, init) {
  const response = await fetcher.fetch(url, init);
  const text = await response.text();
  // One answer for each statement.
  const answers = [JSON.parse(text)].flat();
  trips.push(
    [JSON.parse(init.body)].flat().map(({ sql, params }, index) => ({
      sql,
      params,
      read: answers[index]?.meta?.rows_read ?? 0,
    })),
  );
  return new Response(text, response);
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
  /** `/trips` returns the trips since the last call, once nothing is pending. */
  async fetch(request, bindings, ctx) {
    if (new URL(request.url).pathname === '/trips') {
      do {
        await scheduler.wait(5);
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
