import 'server-only';
import { type SQL, sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { ask, db } from '#db/query.ts';
import {
  type CountedCohort,
  requireNotOver,
  requireOutsideTrash,
} from '#features/cohorts/get-cohort.ts';
import type { ViewerContext } from '#features/identity/find-actor.ts';
import { limitOn, refuseFull } from '#features/limits/limit-on.ts';
import { lastOfMany } from '#features/outbox/queue-mails.ts';
import { sendSoon } from '#features/outbox/send-soon.ts';
import {
  invitationUse,
  refuseInvitationsIfPaused,
  type Standing,
} from '#features/outbox/standing.ts';
import { withPlaces } from '#features/places/places.ts';
import { tooManyPeople } from '#features/places/refusals.ts';
import { blockHash } from '#features/suppression/blocked-addresses.ts';
import { AppError } from '#lib/app-error.ts';
import { nameKeyOf } from '#lib/text.ts';
import { checkLines } from './check-lines.ts';
import { chosenColumns, findColumns } from './columns.ts';
import { askForColumns, importResult } from './import-result.ts';
import {
  type Candidate,
  type CandidateList,
  insertEnrollments,
  insertPeople,
  judge,
  partsOf,
} from './import-statements.ts';
import { faultyLines } from './line-words.ts';
import { type ListedPerson, type ListLine, readLines } from './read-lines.ts';
import { maxRows, readTable } from './read-table.ts';
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
  { cohort, standing }: { cohort: CountedCohort; standing: Standing },
  input: ImportInput,
): Promise<ImportResult> {
  requireOutsideTrash(cohort);
  requireNotOver(ctx, cohort);
  refuseInvitationsIfPaused(standing);
  const { as, rest = null, dry_run: isDry } = input;
  if (!isDry && !input.informed) {
    throw new AppError('validation_failed', { fields: { informed: ['import_informed'] } });
  }
  const { table, columns: listed, rows } = await readList(input);
  if (!listed.isClear) {
    return askForColumns(listed, table);
  }
  // An answer belongs to a question.
  const kinds = listed.kinds.map((kind) =>
    kind === 'answer' && cohort.question === null ? 'ignored' : kind,
  );
  const columns = { ...listed, kinds };
  const lines = readLines(rows, kinds);
  const uses = isDry ? [] : [{ limit: 'imports_per_user', subject: ctx.viewer.id } as const];
  const limit = await limitOn(ctx, uses, 'refuse');
  const hasRoom = sql`${limit.hasRoom}`;
  const strangers = await limitOn(ctx, [invitationUse(ctx, standing)], 'refuse');
  const { id: cohortId, ownerId } = cohort;
  const now = ctx.now().getTime();
  const parts = partsOf(await candidatesOf(ctx, cohort, lines));
  const allowed = sql`${strangers.left}`;
  const list = { now, ownerId, userId: ctx.viewer.id, cohortId, parts, as, rest, allowed };
  const { judged, lastMails, findNextRoom, placed, usage } = await ask(ctx, {
    judged: judge(list),
    lastMails: db.all<{ at: number }>(sql`SELECT ${lastOfMany(ownerId)} AS at`),
    findNextRoom: strangers.findNextRoom(),
    placed: isDry
      ? undefined
      : withPlaces(ctx, list, insertEnrollments(list, hasRoom), {
          first: insertPeople(list, hasRoom),
          isBulk: true,
        }),
    strangers: isDry
      ? undefined
      : strangers.count(
          sql`EXISTS (SELECT 1 ${strangersOf(list)})`,
          sql`(SELECT count(*) ${strangersOf(list)})`,
        ),
    usage: limit.count(sql`EXISTS (SELECT 1 FROM enrollments e WHERE ${isChangedBy(list)})`),
  });
  const checked = checkLines(lines, judged);
  const [whole] = judged;
  const tooManyFor = whole?.isTooMany ? (whole.free ?? 0) : null;
  const people = placed?.changed ?? null;
  if (people?.length === 0) {
    refuseFull(ctx, usage.full);
  }
  if (whole?.isOverfull) {
    throw tooManyPeople(cohort);
  }
  if (people !== null) {
    if (tooManyFor !== null) {
      throw new AppError('too_many_for_places', { values: { free: tooManyFor } });
    }
    sendSoon(ctx, placed?.mailIds ?? []);
    ctx.observe.log('people_imported', { cohort: cohortId, people: people.length });
  }
  return importResult(ctx, cohort, {
    lines: checked,
    tooManyFor,
    lastMailAt: lastMails[0]?.at ?? 0,
    isDone: people !== null,
    isProven: standing.isProven,
    findNextRoom,
    table,
    columns,
    faultyLines: await faultyLines(ctx, table, columns, checked),
  });
}

/**
 * The rows of a list below its names of columns, and what its columns are.
 *
 * @throws AppError `import_too_many_rows`, `import_empty` and those of `readTable`
 */
async function readList({ text, columns: kinds }: ImportInput) {
  const table = await readTable(text);
  const cells = table.rows.map((row) => row.cells);
  const columns = kinds === undefined ? findColumns(cells) : chosenColumns(cells, kinds);
  const rows = columns.hasHeader ? table.rows.slice(1) : table.rows;
  if (rows.length > maxRows) {
    throw new AppError('import_too_many_rows');
  }
  if (rows.length === 0) {
    throw new AppError('import_empty');
  }
  return { table, columns, rows };
}

/** Whether the import itself has changed enrollment `e`. */
function isChangedBy({ now, cohortId }: CandidateList): SQL {
  return sql`e.cohort_id = ${cohortId} AND e.status_changed_at = ${now} AND e.changed_by = 'owner'`;
}

/** Those of them who have not enrolled by themselves before. */
function strangersOf(list: CandidateList): SQL {
  return sql`FROM enrollments e JOIN people p ON p.id = e.person_id
    WHERE ${isChangedBy(list)} AND p.consented_at IS NULL`;
}

function candidatesOf(
  ctx: Context,
  { id, ownerId, language }: CountedCohort,
  lines: readonly ListLine[],
): Promise<Candidate[]> {
  const people = lines.flatMap((line) => (line.kind === 'person' ? [line.person] : []));
  return Promise.all(
    people.map(
      async ({ name, email, note, answer, ...person }: ListedPerson): Promise<Candidate> => {
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
          answer,
          removed: await blockHash(ctx, addressee, id),
          unsubscribed: await blockHash(ctx, addressee, null),
        };
      },
    ),
  );
}
