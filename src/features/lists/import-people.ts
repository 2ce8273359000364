import 'server-only';
import { sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { ask } from '#db/query.ts';
import {
  type CountedCohort,
  requireNotOver,
  requireOutsideTrash,
} from '#features/cohorts/get-cohort.ts';
import type { ViewerContext } from '#features/identity/find-actor.ts';
import { limitOn, refuseFull } from '#features/limits/limit-on.ts';
import { sendSoon } from '#features/outbox/send-soon.ts';
import {
  invitationUse,
  refuseInvitationsIfPaused,
  type Standing,
} from '#features/outbox/standing.ts';
import { maxPeople, withPlaces } from '#features/places/places.ts';
import { blockHash } from '#features/suppression/blocked-addresses.ts';
import { AppError } from '#lib/app-error.ts';
import { nameKeyOf } from '#lib/name-key.ts';
import { chosenColumns, type FoundColumns, findColumns } from './columns.ts';
import { faultyLines } from './faulty-lines.ts';
import {
  type Candidate,
  findKnown,
  findRoom,
  type Import,
  insertEnrollments,
  insertPeople,
  partsOf,
} from './import-statements.ts';
import { judge } from './judge.ts';
import { maxRows } from './list-size.ts';
import { type Entry, type ListedPerson, readEntries } from './read-entries.ts';
import { type Row, readTable, type Table } from './read-table.ts';
import { askForColumns, resultOf } from './result.ts';
import type { ImportInput, ImportResult } from './schema.ts';

/**
 * Enrolls or invites the people of a list, or says what that would do. What is known about people
 * stays as it is, so that the same list again does nothing. Who is on the roster stays there as
 * they are; only those who wait are let in, if the list says to add people.
 *
 * All in one batch: a limit for lists holds how often; how many strangers at once holds the limit
 * that also counts those who are added by hand.
 *
 * @param cohort one of the viewer's, as the request has read it
 * @throws AppError `import_too_large`, `import_too_many_rows`, `import_not_text`, `import_empty`,
 *   `too_many_for_places`, `too_many_people`, `cohort_over`, `cohort_in_trash`,
 *   `invitations_paused`, `rate_limited`; `validation_failed` on `informed`
 */
export async function importPeople(
  ctx: ViewerContext,
  cohort: CountedCohort,
  standing: Standing,
  input: ImportInput,
): Promise<ImportResult> {
  requireOutsideTrash(cohort);
  requireNotOver(ctx, cohort);
  refuseInvitationsIfPaused(standing);
  if (!input.dry_run && !input.informed) {
    throw new AppError('validation_failed', { fields: { informed: ['import_informed'] } });
  }
  const table = await readTable(input.text);
  const cells = table.rows.map((row) => row.cells);
  const found =
    input.columns === undefined ? findColumns(cells) : chosenColumns(cells, input.columns);
  const rows = found.hasHeader ? table.rows.slice(1) : table.rows;
  if (rows.length > maxRows) {
    throw new AppError('import_too_many_rows');
  }
  if (rows.length === 0) {
    throw new AppError('import_empty');
  }
  if (!found.isClear) {
    return askForColumns(found.kinds, cells);
  }
  return importRows(ctx, cohort, standing, { input, table, found, rows });
}

type Read = { input: ImportInput; table: Table; found: FoundColumns; rows: Row[] };

async function importRows(
  ctx: ViewerContext,
  cohort: CountedCohort,
  standing: Standing,
  { input, table, found, rows }: Read,
): Promise<ImportResult> {
  const entries = readEntries(rows, found.kinds);
  const { viewer } = ctx;
  const { dry_run: isDry } = input;
  const candidates = await candidatesOf(ctx, cohort, entries);
  const limits = await limitOn(
    ctx,
    isDry ? [] : [{ limit: 'imports_per_user', subject: viewer.id }],
    'refuse',
  );
  const strangers = await limitOn(ctx, [invitationUse(ctx, standing)], 'refuse');
  const now = ctx.now().getTime();
  const given: Import = {
    now,
    ownerId: cohort.ownerId,
    userId: viewer.id,
    cohortId: cohort.id,
    parts: partsOf(candidates),
    as: input.as,
    rest: input.rest ?? null,
    allowed: sql`${strangers.left}`,
  };
  const isChanged = sql`EXISTS (SELECT 1 FROM enrollments e WHERE ${changedNow(given)})`;
  const changedStrangers = sql`FROM enrollments e JOIN people p ON p.id = e.person_id
    WHERE ${changedNow(given)} AND p.consented_at IS NULL`;
  const hasRoom = sql`${limits.hasRoom}`;
  const change = isDry
    ? undefined
    : withPlaces(
        ctx,
        { now, cohortId: cohort.id, ownerId: cohort.ownerId },
        insertEnrollments(given, hasRoom),
        {
          first: insertPeople(given, hasRoom),
          isBulk: true,
        },
      );
  const answers = await ask(ctx, {
    known: findKnown(given),
    room: findRoom(given),
    nextRoom: strangers.findNextRoom(),
    placed: change,
    strangers: isDry
      ? undefined
      : strangers.count(
          sql`EXISTS (SELECT 1 ${changedStrangers})`,
          sql`(SELECT count(*) ${changedStrangers})`,
        ),
    usage: limits.count(isChanged),
  });
  const { known, room } = answers;
  const judged = judge(entries, known, { ...room, as: given.as, rest: given.rest, cohort });
  const placed = answers.placed?.changed ?? null;
  if (placed?.length === 0) {
    refuseFull(ctx, answers.usage.full);
  }
  if (room.live + judged.newcomers > maxPeople) {
    throw new AppError('too_many_people');
  }
  if (placed !== null) {
    if (judged.isTooMany) {
      throw new AppError('too_many_for_places', { values: { free: room.free ?? 0 } });
    }
    sendSoon(ctx, answers.placed?.mailIds ?? []);
    ctx.observe.log('people_imported', { cohort: cohort.id, people: placed.length });
  }
  return resultOf(ctx, cohort, {
    judged,
    room,
    placed,
    as: given.as,
    isProven: standing.isProven,
    findNextRoom: answers.nextRoom,
    faultyLines: await faultyLines(ctx, table, found, judged.lines),
  });
}

/** What the import itself has changed in its cohort. */
function changedNow({ now, cohortId }: Import) {
  return sql`e.cohort_id = ${cohortId} AND e.status_changed_at = ${now} AND e.changed_by = 'owner'`;
}

/** The people of the list, with new ids and what they are looked up by. */
function candidatesOf(
  ctx: Context,
  { id, ownerId, language }: CountedCohort,
  entries: readonly Entry[],
): Promise<Candidate[]> {
  const people = entries.flatMap((entry) => (entry.kind === 'person' ? [entry.person] : []));
  return Promise.all(
    people.map(async ({ name, email, note, ...person }: ListedPerson): Promise<Candidate> => {
      const addressee = { ownerId, emailCanonical: email.canonical };
      return {
        person: crypto.randomUUID(),
        enrollment: crypto.randomUUID(),
        email: email.address,
        canonical: email.canonical,
        name,
        key: nameKeyOf(name),
        language: person.language ?? language,
        note,
        removed: await blockHash(ctx, addressee, id),
        unsubscribed: await blockHash(ctx, addressee, null),
      };
    }),
  );
}
