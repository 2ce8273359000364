import { type Env, readRows, refuse } from './database.ts';

/** Asks the database what the others ask, and makes nothing of it: with `bare` taken away, what the database costs. */
export default {
  fetch: async (request: Request, env: Env) =>
    (await readRows(request, env)) === null
      ? refuse()
      : new Response('Hello', { headers: { 'Content-Type': 'text/plain' } }),
};
