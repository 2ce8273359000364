import 'server-only';
import type { SQL } from 'drizzle-orm';
import type { BatchItem } from 'drizzle-orm/batch';
import type { Context } from '#context.ts';
import type { Viewer } from './find-viewer.ts';

/**
 * A read of what is somebody's own, in the form in which it can travel with the question who they are: see `findViewer`. A page
 * or a read of the API so costs one trip to the database.
 */
export type OwnRead<Answer> = {
  /**
   * The rows, and no two columns of one name: a batch tells them apart by it.
   *
   * @param userId whose they are, in SQL: nobody knows yet who it is. It is null where nobody is signed in
   */
  query: (ctx: Context, userId: SQL) => BatchItem<'sqlite'>;
  /** What the rows come to; called for those alone who are signed in. May throw. */
  answer: (rows: unknown, viewer: Viewer) => Answer;
};

/** Ties the rows of a query to what is made of them: whatever the batch has for the query is what `answer` is given. */
export function ownRead<Query extends BatchItem<'sqlite'>, Answer>(
  query: (ctx: Context, userId: SQL) => Query,
  answer: (rows: Query['_']['result'], viewer: Viewer) => Answer,
): OwnRead<Answer> {
  return { query, answer };
}
