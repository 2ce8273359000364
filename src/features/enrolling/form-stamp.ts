import 'server-only';
import type { Context } from '#context.ts';
import { AppError } from '#lib/app-error.ts';
import { openLink, sealLink } from '#lib/signed-links.ts';

/** Faster than people read and type. */
const shortestFormMs = 2_000;
const longestFormMs = 24 * 60 * 60 * 1000;

/** When a form was made, signed, so that only who has seen it can send it. */
export function formStamp(ctx: Pick<Context, 'config' | 'now'>): Promise<string> {
  return sealLink(ctx, 'form', { madeAt: ctx.now().getTime() });
}

/**
 * Whether a program has filled in a public form: such a request is answered like all others.
 *
 * @throws AppError `form_stale` for a form that is too old, which people may have kept open
 */
export async function isByProgram(
  ctx: Context,
  { website, stamp }: { website: string; stamp: string },
): Promise<boolean> {
  const form = await openLink(ctx, 'form', stamp);
  const age = form === null ? Number.POSITIVE_INFINITY : ctx.now().getTime() - form.madeAt;
  if (age > longestFormMs) {
    throw new AppError('form_stale');
  }
  const isFilledIn = website !== '' || age < shortestFormMs;
  if (isFilledIn) {
    ctx.observe.log('form_refused', { reason: website === '' ? 'too_quick' : 'honeypot' });
  }
  return isFilledIn;
}
