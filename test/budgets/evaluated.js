import worker from './index.js';

/**
 * The built worker, which returns at `/evaluated` which of its modules have run; see
 * cold-start.test.ts.
 */
export default {
  fetch(request, bindings, ctx) {
    return new URL(request.url).pathname === '/evaluated'
      ? Response.json(globalThis.evaluatedModules)
      : worker.fetch(request, bindings, ctx);
  },
};
