import 'server-only';
import type { Context } from '#context.ts';
import { judgeStamp } from '#features/places/links.ts';
import { AppError } from '#lib/app-error.ts';

/**
 * Whether a program has filled in a public form: such a request is answered like all others.
 *
 * @throws AppError `form_stale` for a form that is too old, which people may have kept open
 */
export async function isByProgram(
  ctx: Context,
  { website, stamp }: { website: string; stamp: string },
): Promise<boolean> {
  const verdict = await judgeStamp(ctx, stamp);
  if (verdict === 'stale') {
    throw new AppError('form_stale');
  }
  const isFilledIn = website !== '' || verdict === 'too quick';
  if (isFilledIn) {
    ctx.observe.log('form_refused', { reason: website === '' ? 'too_quick' : 'honeypot' });
  }
  return isFilledIn;
}
