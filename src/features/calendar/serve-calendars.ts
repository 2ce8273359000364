import 'server-only';
import { createMiddleware } from 'hono/factory';
import { kindOf } from '#middleware/path-kinds.ts';
import type { HonoEnv } from '#middleware/request-context.ts';

/** Answers requests for calendars, by what is loaded when one is asked for. */
export function calendars() {
  return createMiddleware<HonoEnv>(async function calendars(c, next) {
    if (kindOf(c.req.path).kind !== 'calendar') {
      return next();
    }
    const { answerCalendar } = await import('./answer.ts');
    // More than a program needs to name the tag that it has.
    const knownTags = (c.req.header('If-None-Match') ?? '').slice(0, 255);
    return answerCalendar(c.get('ctx'), c.req.raw, knownTags);
  });
}
