import { type Env, readRows, refuse } from './database.ts';

/**
 * Sends the same query as the others and discards the result: minus `bare`, this is the cost of the
 * database and of the limiter.
 */
export default {
  fetch: async (request: Request, env: Env) =>
    (await readRows(request, env)) === null
      ? refuse()
      : new Response('Hello', { headers: { 'Content-Type': 'text/plain' } }),
};
