import 'server-only';
import type { SQL } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { query } from '#db/query.ts';
import { meetingRow, meetingRows, toMeeting } from './list-meetings.ts';
import type { Meeting } from './schema.ts';

/** The live sessions of one of the viewer's cohorts for a page; none if there is no such cohort. */
export function findSchedule(cohortId: string) {
  return (ctx: Context, ownerId: SQL) =>
    query(
      { rows: meetingRows({ ownerId, cohortId, now: ctx.now() }) },
      ({ rows }) =>
        (): Meeting[] =>
          rows.map((row) => toMeeting(row, ctx.now())),
    );
}

/** One of them for its page; null if there is none. */
export function findOwnMeeting(cohortId: string, id: string) {
  return (ctx: Context, ownerId: SQL) =>
    query(
      { rows: meetingRow({ ownerId, cohortId, id, now: ctx.now() }) },
      ({ rows: [row] }) =>
        (): Meeting | null =>
          row === undefined ? null : toMeeting(row, ctx.now()),
    );
}
