import { Hono } from 'hono';
import { api } from '#api/app.ts';
import { onError } from '#api/errors.ts';
import { foundation } from '#middleware/foundation.ts';
import type { HonoEnv } from '#middleware/request-context.ts';

/** The API behind the foundation of the real worker. Waku's pages are tested on the built worker. */
export const testApp = new Hono<HonoEnv>();
testApp.onError(onError);
testApp.use(...foundation({ hotReload: false }));
testApp.route('/', api);
