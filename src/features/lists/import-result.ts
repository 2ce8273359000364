import 'server-only';
import type { I18n, MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { Context } from '#context.ts';
import type { CountedCohort } from '#features/cohorts/get-cohort.ts';
import { amountsOf, priceAt } from '#features/cohorts/price-at.ts';
import type { NextRoom } from '#features/limits/limit-on.ts';
import { mailSpacing } from '#features/outbox/queue-mails.ts';
import { timeUntil } from '#lib/relative-time.ts';
import { isolated } from '#lib/text.ts';
import { momentIn } from '#lib/time/words.ts';
import { cityOf } from '#lib/time/zones.ts';
import { errors } from '#vocabulary.ts';
import type { CheckedLine } from './check-lines.ts';
import { ignoredNames, type ListColumns } from './columns.ts';
import { isFaulty, lineWords } from './line-words.ts';
import type { Table } from './read-table.ts';
import type { ImportResult } from './schema.ts';

type Outcome = {
  lines: CheckedLine[];
  /** How many places there are, if that is too few and no one has said what becomes of the rest. */
  tooManyFor: number | null;
  /** When the last of the emails that go out one after another does. */
  lastMailAt: number;
  /** Whether people were imported, or are to be. */
  isDone: boolean;
  isProven: boolean;
  /** When the limit of strangers has room for so many more, after those of the list. */
  findNextRoom: (taken: number, more: number) => NextRoom | null;
  faultyLines: string | null;
  table: Table;
  columns: ListColumns;
};

const sampleRows = 3;
const sampleLength = 60;
/** How many names say whether a list was read well. */
const shownNames = 8;

/** Which column is what, with what stands in it. */
function columnsOf({ kinds, isClear }: ListColumns, { rows }: Table) {
  const sample = rows
    .slice(0, sampleRows)
    .map(({ cells }) => cells.map((cell) => cell.slice(0, sampleLength)));
  return { kinds, sample, is_clear: isClear };
}

/** The answer for a list that does not say which column is what. */
export function askForColumns(columns: ListColumns, table: Table): ImportResult {
  return {
    is_done: false,
    counts: { lines: table.rows.length, people: 0, unchanged: 0, faulty: 0 },
    lines: [],
    summary: [],
    too_many: null,
    action: null,
    faulty_lines: null,
    columns: columnsOf(columns, table),
  };
}

/** What an import does or has done, for its owner: what there is to say about lines, and in all. */
export function importResult(ctx: Context, cohort: CountedCohort, outcome: Outcome): ImportResult {
  const { lines, tooManyFor, isDone, table, columns } = outcome;
  const ignored = ignoredNames(
    table.rows.map(({ cells }) => cells),
    columns,
  );
  const changes = lines.filter(({ status }) => status !== null);
  const faulty = lines.filter(isFaulty).length;
  const over = lines.filter(({ verdict }) => verdict === 'over_limit').length;
  const unchanged = lines.length - changes.length - faulty;
  const { i18n, locale } = ctx.request;
  const say = sayIn(i18n);
  const summary = [
    ...statuses.flatMap(({ status, ahead, after }) =>
      say(isDone ? after : ahead, changes.filter((line) => line.status === status).length),
    ),
    ...(changes.length === 0
      ? [i18n._(isDone ? msg`Nothing has changed.` : msg`There’s no one to import.`)]
      : []),
    ...(over > 0 ? [restOf(ctx, cohort, outcome, over)] : []),
    ...(isDone ? [] : [...namesOf(ctx, changes), ...owedBy(ctx, cohort, changes)]),
    ...say(
      msg`{n, plural, one {# line changes nothing.} other {# lines change nothing.}}`,
      unchanged - over,
    ),
    ...say(
      isDone
        ? msg`{n, plural, one {# line had an error and was skipped.} other {# lines had errors and were skipped.}}`
        : msg`{n, plural, one {# line has an error and will be skipped.} other {# lines have errors and will be skipped.}}`,
      faulty,
    ),
    ...say(
      isDone
        ? msg`{n, plural, one {This column wasn’t imported: {names}.} other {These columns weren’t imported: {names}.}}`
        : msg`{n, plural, one {This column won’t be imported: {names}.} other {These columns won’t be imported: {names}.}}`,
      ignored.length,
      { n: ignored.length, names: listOf(ignored, locale) },
    ),
    ...paceOf(ctx, outcome, changes.length),
  ];
  const action = say(
    msg`{n, plural, one {Import # person} other {Import # people}}`,
    changes.length,
  );
  return {
    is_done: isDone,
    counts: { lines: lines.length, people: changes.length, unchanged, faulty },
    // In the preview, a newcomer needs no words.
    lines: lines
      .filter(({ verdict }) => isDone || verdict !== 'new')
      .map((line) => ({
        line: line.source.line,
        name: line.source.typed.name,
        email: line.source.typed.email,
        verdict: line.verdict,
        status: line.status,
        message: lineWords(ctx, line, { isDone, timeZone: cohort.timeZone, kind: cohort.kind }),
      })),
    summary,
    too_many:
      tooManyFor === null
        ? null
        : {
            message: i18n._({ ...errors.too_many_for_places.text, values: { free: tooManyFor } }),
            // Whom there is no place for can wait only where people can.
            choices: cohort.waitlist ? ['waitlist', 'invite', 'add'] : ['invite', 'add'],
          },
    action: isDone || tooManyFor !== null ? null : (action[0] ?? null),
    faulty_lines: outcome.faultyLines,
    columns: isDone || ignored.length === 0 ? null : columnsOf(columns, table),
  };
}

const statuses = [
  {
    status: 'invited',
    ahead: msg`{n, plural, one {# person will be invited.} other {# people will be invited.}}`,
    after: msg`{n, plural, one {# person was invited.} other {# people were invited.}}`,
  },
  {
    status: 'enrolled',
    ahead: msg`{n, plural, one {# person will be added.} other {# people will be added.}}`,
    after: msg`{n, plural, one {# person was added.} other {# people were added.}}`,
  },
  {
    status: 'waitlisted',
    ahead: msg`{n, plural, one {# person will be put on the waitlist.} other {# people will be put on the waitlist.}}`,
    after: msg`{n, plural, one {# person was put on the waitlist.} other {# people were put on the waitlist.}}`,
  },
] as const;

/** Says a sentence about so many, if there are any. */
function sayIn(i18n: I18n) {
  return (text: MessageDescriptor, n: number, values: Record<string, unknown> = { n }) =>
    n > 0 ? [i18n._({ ...text, values })] : [];
}

function listOf(names: readonly string[], locale: string, rest: readonly string[] = []): string {
  const format = new Intl.ListFormat(locale, { type: 'conjunction' });
  return format.format([...names.map(isolated), ...rest]);
}

/** The first names that will be written: what is known about people stays. */
function namesOf({ request }: Context, changes: readonly CheckedLine[]): string[] {
  const { i18n, locale } = request;
  const say = sayIn(i18n);
  const all = changes.flatMap(({ verdict, source }) =>
    verdict === 'new' && source.kind === 'person' ? [source.person.name] : [],
  );
  const rest = say(msg`{n, plural, one {# more} other {# more}}`, all.length - shownNames);
  const names = listOf(all.slice(0, shownNames), locale, rest);
  return say(msg`Names to be saved: {names}`, all.length, { names });
}

/** What the ledger will charge those who have no place in the cohort yet, when they are enrolled. */
function owedBy(ctx: Context, cohort: CountedCohort, changes: readonly CheckedLine[]): string[] {
  const { i18n, locale } = ctx.request;
  const amounts = amountsOf(priceAt(cohort, ctx.now()), locale);
  if (amounts === null || changes.every(({ verdict }) => verdict === 'waiting')) {
    return [];
  }
  const { price, early } = amounts;
  const text =
    early === null
      ? msg`Each new person who enrolls owes {price}.`
      : msg`Each new person who enrolls owes {early} until {date}, and {price} after that.`;
  return [i18n._({ ...text, values: { price, early: early?.price, date: early?.day } })];
}

/** How many people are over the limit of strangers, and when they can be imported. */
function restOf(
  { request: { i18n, locale } }: Context,
  { timeZone }: CountedCohort,
  { lines, isProven, findNextRoom }: Outcome,
  n: number,
): string {
  const limit = isProven
    ? msg`{n, plural, one {Over today’s limit: # person.} other {Over today’s limit: # people.}}`
    : msg`{n, plural, one {Over today’s limit for new accounts: # person.} other {Over today’s limit for new accounts: # people.}}`;
  const over = i18n._({ ...limit, values: { n } });
  const taken = lines.filter(
    ({ status, person }) => status !== null && !person?.hasConsented,
  ).length;
  const next = findNextRoom(taken, n);
  if (next === null) {
    return over;
  }
  const { at, count } = next;
  const when = `${momentIn(timeZone, at, locale)} (${cityOf(timeZone, locale)})`;
  const rest =
    count === n
      ? msg`You can import the rest from {when}.`
      : msg`{count, plural, one {You can import one more from {when}.} other {You can import # more from {when}.}}`;
  return `${over} ${i18n._({ ...rest, values: { when, count } })}`;
}

/** How long the emails take, where that is longer than a minute. */
function paceOf(ctx: Context, { lastMailAt }: Outcome, count: number): string[] {
  const { i18n, locale } = ctx.request;
  const now = ctx.now();
  const spacing = mailSpacing(ctx);
  const first = Math.max(now.getTime(), lastMailAt + spacing);
  const last = new Date(first + (count - 1) * spacing);
  if (count === 0 || last.getTime() - now.getTime() < 60_000) {
    return [];
  }
  const when = timeUntil(last, now, locale);
  return [
    i18n._({
      ...msg`Their emails go out one after another, the last one {when}.`,
      values: { when },
    }),
  ];
}
