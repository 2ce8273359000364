import 'server-only';
import { createMiddleware } from 'hono/factory';
import { kindOf } from '#middleware/path-kinds.ts';
import type { HonoEnv } from '#middleware/request-context.ts';

/** Answers requests for files and pictures, by what is loaded when one is asked for. */
export function storedFiles() {
  return createMiddleware<HonoEnv>(async function storedFiles(c, next) {
    if (kindOf(c.req.path).kind !== 'file') {
      return next();
    }
    const { answerFile } = await import('./answer-file.ts');
    return answerFile(c.get('ctx'), c.req.raw);
  });
}
