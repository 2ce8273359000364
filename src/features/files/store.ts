import 'server-only';
import type { Context } from '#context.ts';
import { AppError } from '#lib/app-error.ts';

/**
 * The place where files are kept.
 *
 * @throws AppError `files_off` where the operator has none
 */
export function storeOf({ files: store }: Context): R2Bucket {
  if (store === null) {
    throw new AppError('files_off');
  }
  return store;
}

/** @throws AppError `files_unavailable` if R2 fails */
export async function reach<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (cause) {
    throw new AppError('files_unavailable', { cause });
  }
}
