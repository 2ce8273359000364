import 'server-only';
import type { I18n, MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { Context } from '#context.ts';
import type { CohortKind } from '#db/values.ts';
import { statusWords } from '#features/places/refusals.ts';
import { tableText } from '#lib/csv.ts';
import { dayIn, longDay } from '#lib/time/words.ts';
import { type ValidationCode, validationTexts } from '#vocabulary.ts';
import type { CheckedLine } from './check-lines.ts';
import type { ListColumns } from './columns.ts';
import type { Table } from './read-table.ts';
import type { LineVerdict } from './schema.ts';

/** What is said about a line: what it does or has done, or why it does nothing. */
export function lineWords(
  { request }: Pick<Context, 'request'>,
  line: CheckedLine,
  { isDone, timeZone, kind }: { isDone: boolean; timeZone: string; kind: CohortKind },
): string {
  const { i18n, locale } = request;
  const { source, verdict, status, person } = line;
  if (status !== null) {
    return madeOf(i18n, line, { isDone, kind });
  }
  if (verdict === 'invalid_name' || verdict === 'invalid_note' || verdict === 'invalid_answer') {
    return faultOf(i18n, line);
  }
  const since = person?.removedAt ?? null;
  const values = {
    status: person?.was && i18n._(statusWords[person.was]),
    n: source.kind === 'duplicate' ? source.of : 0,
    date: since !== null && longDay(dayIn(timeZone, new Date(since)), locale),
  };
  return i18n._({ ...words[verdict], values });
}

const words: Record<
  Exclude<LineVerdict, 'invalid_name' | 'invalid_note' | 'invalid_answer'>,
  MessageDescriptor
> = {
  new: msg`New`,
  known: msg`Already in another cohort; details stay as they are`,
  waiting: msg`On the waitlist, and stays there`,
  already: msg`Already on the roster ({status})`,
  duplicate: msg`The same address as line {n}`,
  broken: msg`The quotation marks in this line don’t match`,
  invalid_email: msg`This is not an email address`,
  undeliverable: msg`Email to this address bounces`,
  removed: msg`Was removed on {date}`,
  unsubscribed: msg`Does not want invitations from you`,
  no_place: msg`All places are taken`,
  over_limit: msg`Over today’s limit`,
};

/** To a course without cohorts, the same. */
const knownInCourse = msg`Already in another course; details stay as they are`;

type Made = { isDone: boolean; kind: CohortKind };

function madeOf(i18n: I18n, { verdict, status }: CheckedLine, { isDone, kind }: Made): string {
  const made = {
    invited: isDone ? msg`Invited` : msg`New: to be invited`,
    enrolled: isDone ? msg`Added` : msg`New: to be added`,
    waitlisted: isDone ? msg`Put on the waitlist` : msg`New: to be put on the waitlist`,
  };
  if (verdict === 'waiting') {
    return i18n._(
      isDone ? msg`Added from the waitlist` : msg`On the waitlist: to be added from there`,
    );
  }
  if (verdict === 'known') {
    const known = i18n._(kind === 'open' ? knownInCourse : words.known);
    return isDone && status !== null ? `${i18n._(made[status])}. ${known}` : known;
  }
  return i18n._(made[status ?? 'enrolled']);
}

/** A name can be missing, too long, or be none. */
function faultOf(i18n: I18n, { source }: CheckedLine): string {
  const code: ValidationCode | null = source.kind === 'fault' ? source.code : null;
  return code === null || code === 'person_name_required' || code === 'person_name_too_long'
    ? i18n._(msg`The name is missing or too long`)
    : i18n._(validationTexts[code]);
}

/** Whether the line can be corrected in the list. */
export function isFaulty({ source, verdict }: CheckedLine): boolean {
  return source.kind === 'fault' || verdict === 'undeliverable';
}

/**
 * The lines of a list that can be corrected, as a file of the same form in which each says what is
 * wrong. Corrected, it can be imported: that column is none of a list. Null without any.
 */
export async function faultyLines(
  ctx: Context,
  { delimiter, rows }: Table,
  { kinds, hasHeader }: ListColumns,
  lines: readonly CheckedLine[],
): Promise<string | null> {
  const faulty = lines.filter(isFaulty);
  if (faulty.length === 0) {
    return null;
  }
  const header = hasHeader ? (rows[0]?.cells ?? []) : kinds;
  const width = Math.max(header.length, ...faulty.map(({ source }) => source.cells.length));
  const wide = (cells: readonly string[]) =>
    Array.from({ length: width }, (_, index) => cells[index] ?? '');
  const what = ctx.request.i18n._(msg`what is wrong`);
  const cells = faulty.map((line) => [
    ...wide(line.source.cells),
    // None of these depends on the cohort.
    lineWords(ctx, line, { isDone: false, timeZone: 'UTC', kind: 'dated' }),
  ]);
  return tableText([[...wide(header), what], ...cells], delimiter);
}
