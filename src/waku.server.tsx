import type { Context } from 'hono';
import type { ReactNode } from 'react';
import { fsRouter } from 'waku';
import adapter from 'waku/adapters/cloudflare';
import { calendars } from '#features/calendar/serve-calendars.ts';
import { storedFiles } from '#features/files/serve-files.ts';
import { answerFailure, failurePage } from '#middleware/failure-page.ts';
import { logConsole } from '#middleware/log-console.ts';
import { kindOf } from '#middleware/path-kinds.ts';
import { readOnlyPages } from '#middleware/read-only-pages.ts';
import type { HonoEnv } from '#middleware/request-context.ts';
import { pathOf } from '#middleware/size-limits.ts';
import { commonMiddleware } from './common-middleware.ts';
import type { Bindings } from './env.ts';

// In development, plain console output is more informative.
if (!import.meta.env.DEV) {
  logConsole();
}

type PageModule = { default: (props: object) => ReactNode | Promise<ReactNode> };

const frame = import.meta.glob(['./pages/_root.tsx', './pages/_interceptors/*.ts'], { base: './' });
const pages = import.meta.glob<PageModule>(['./pages/**/*.tsx', '!./pages/_root.tsx'], {
  base: './',
});

/**
 * The pages, each loaded with its first request. Waku's router loads every module that it is given
 * before its first answer, so it gets a function in place of each page. All are dynamic, whatever
 * pages.gen.ts says.
 */
function loadedWhenOpened(modules: Record<string, () => Promise<PageModule>>) {
  return Object.fromEntries(
    Object.entries(modules).map(([file, load]) => [
      file,
      async () => ({
        default: async (props: object) => (await load()).default(props),
        getConfig: async () => ({ render: 'dynamic' }) as const,
      }),
    ]),
  );
}

/** The worker. Middleware listed first gets a request first and its response last. */
export default adapter(fsRouter({ ...frame, ...loadedWhenOpened(pages) }), {
  // The API limits bodies itself; pages take none.
  bodyLimit: false,
  handlers: {
    scheduled: async (event: ScheduledController, env: Bindings, execution: ExecutionContext) =>
      (await import('./cron.ts')).scheduled(event, env, execution),
  },
  middlewareFns: [
    ({ app }) => {
      // A Hono option that Waku does not pass on.
      Object.assign(app, { getPath: pathOf });
      // Waku types its app without an environment; the middleware below sets the variables.
      app.onError((error, c) => answerFailure(error, c as unknown as Context<HonoEnv>));
      return async (c, next) =>
        kindOf(c.req.path).kind === 'api'
          ? (await import('./api.ts')).api.fetch(c.req.raw, c.env, c.executionCtx)
          : next();
    },
    ...commonMiddleware(import.meta.env.DEV ? 'hot pages' : 'pages').map(
      (middleware) => () => middleware,
    ),
    () => readOnlyPages,
    calendars,
    storedFiles,
    () => failurePage,
  ],
});
