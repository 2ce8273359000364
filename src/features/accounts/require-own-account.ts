import 'server-only';
import type { ViewerContext } from '#features/auth/find-actor.ts';
import { AppError } from '#lib/app-error.ts';

/**
 * Lets nobody near an account but their own.
 *
 * @param id of any shape
 * @throws AppError `not_found` for every other id, whether there is such an account or not
 */
export function requireOwnAccount(ctx: ViewerContext, id: string): void {
  if (id !== ctx.viewer.id) {
    throw new AppError('not_found');
  }
}
