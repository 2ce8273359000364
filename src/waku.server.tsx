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

// In development, plain console output is more informative.
if (!import.meta.env.DEV) {
  logConsole();
}

/** The worker. Middleware listed first gets a request first and its response last. */
export default adapter(fsRouter(import.meta.glob('./pages/**/*.{ts,tsx}', { base: './' })), {
  // The API limits bodies itself; pages take none.
  bodyLimit: false,
  handlers: { scheduled },
  middlewareFns: [
    ({ app }) => {
      // A Hono option that Waku does not pass on.
      Object.assign(app, { getPath: pathOf });
      // Waku types its app without an environment; the middleware below sets the variables.
      app.onError((error, c) => answerFailure(error, c as unknown as Context<HonoEnv>));
      return async (c, next) =>
        /^\/api(\/|$)/.test(c.req.path) ? api.fetch(c.req.raw, c.env, c.executionCtx) : next();
    },
    ...commonMiddleware({ hotReload: import.meta.env.DEV }).map((middleware) => () => middleware),
    readOnlyPages,
    failurePage,
  ],
});
