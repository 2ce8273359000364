import 'server-only';
import { createMiddleware } from 'hono/factory';
import { AppError } from '#lib/app-error.ts';
import { kindOf } from '#middleware/path-kinds.ts';
import { refuse } from '#middleware/plain-answer.ts';
import type { HonoEnv } from '#middleware/request-context.ts';

/** Answers requests for files and pictures, by what is loaded when one is asked for. */
export function storedFiles() {
  return createMiddleware<HonoEnv>(async function storedFiles(c, next) {
    if (kindOf(c.req.path).kind !== 'file') {
      return next();
    }
    const { answerFile } = await import('./answer-file.ts');
    const ctx = c.get('ctx');
    try {
      return await answerFile(ctx, c.req.raw);
    } catch (error) {
      if (!(error instanceof AppError)) {
        throw error;
      }
      // Only logged: a page may have many images, and each would be a report.
      ctx.observe.log('file_unavailable', { cause: String(error.cause) });
      return refuse(c, error);
    }
  });
}
