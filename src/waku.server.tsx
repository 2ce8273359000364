import type { Context } from 'hono';
import { fsRouter } from 'waku';
import adapter from 'waku/adapters/cloudflare';
import { api } from '#api/app.ts';
import { commonMiddleware } from '#middleware/common-middleware.ts';
import { answerFailure, failurePage } from '#middleware/failure-page.ts';
import { logConsole } from '#middleware/log-console.ts';
import { readOnlyPages } from '#middleware/read-only-pages.ts';
import type { HonoEnv } from '#middleware/request-context.ts';
import { pathOf } from '#middleware/size-limits.ts';
import { scheduled } from './cron.ts';

// The development server says more to its terminal as it is.
if (!import.meta.env.DEV) {
  logConsole();
}

/** The worker, from the outside in. What is listed first sees a request first and its answer last. */
export default adapter(fsRouter(import.meta.glob('./pages/**/*.{ts,tsx}', { base: './' })), {
  // The API counts its bodies itself, pages take none.
  bodyLimit: false,
  handlers: { scheduled },
  middlewareFns: [
    ({ app }) => {
      // An option of Hono's, which Waku does not hand on.
      Object.assign(app, { getPath: pathOf });
      // Waku types its app without an environment; the middleware below fills the context of every
      // request.
      app.onError((error, c) => answerFailure(error, c as unknown as Context<HonoEnv>));
      return async (c, next) =>
        /^\/api(\/|$)/.test(c.req.path) ? api.fetch(c.req.raw, c.env, c.executionCtx) : next();
    },
    ...commonMiddleware({ hotReload: import.meta.env.DEV }).map((middleware) => () => middleware),
    readOnlyPages,
    failurePage,
  ],
});
