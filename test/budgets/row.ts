import accepted from './accepted.json' with { type: 'json' };

/** One line of the table that `npm run budgets` prints. */
export type Row = {
  /** Identifies the row across runs. */
  what: string;
  measured: number;
  budget: number;
  /** `B` for bytes; empty if `what` names the unit. */
  unit: 'B' | '';
  /** The parts of the measurement, by names that are stable across builds. */
  parts: Record<string, number>;
};

/** The accepted measurement of each row and its parts. */
export type Accepted = Record<string, Pick<Row, 'measured' | 'parts'> | undefined>;

/** At most this many parts are listed for a failing row. */
const namedParts = 8;

export function isOver({ measured, budget }: Row): boolean {
  return measured > budget;
}

/**
 * What a row over its budget has grown by since it was accepted: a sentence, and a line per part.
 */
export function explain(row: Row, before = (accepted as Accepted)[row.what]): string {
  const { what, measured, budget, parts } = row;
  const over = `${what}: ${amount(measured, row)}, which is ${amount(measured - budget, row)} over ${amount(budget, row)}.`;
  const grown = Object.entries(parts)
    .map(([name, now]) => ({ name, now, was: before?.parts[name] ?? 0 }))
    .filter(({ now, was }) => now > was)
    .toSorted((a, b) => b.now - b.was - (a.now - a.was))
    .slice(0, namedParts)
    .map(({ name, now, was }) =>
      was === 0
        ? `  ${name}: ${amount(now, row)}, new`
        : `  ${name}: ${number(was)} → ${amount(now, row)} (+${number(now - was)})`,
    );
  return [`${over} ${sinceAccepted(row, before, grown.length > 0)}`, ...grown].join('\n');
}

function sinceAccepted(row: Row, before: Accepted[string], hasGrown: boolean): string {
  if (before === undefined) {
    return 'It has never been accepted.';
  }
  const was = `It was accepted at ${amount(before.measured, row)}`;
  return hasGrown ? `${was}; since then there has grown:` : `${was}, and nothing has grown since.`;
}

/** A row of bytes, with its parts. */
export function bytesRow(what: string, budget: number, parts: Record<string, number>): Row {
  const measured = Object.values(parts).reduce((sum, bytes) => sum + bytes, 0);
  return { what, measured, budget, unit: 'B', parts };
}

/** A row for things that must not exist. */
export function namesRow(what: string, names: string[]): Row {
  const parts = Object.fromEntries(names.map((name) => [name, 1]));
  return { what, measured: names.length, budget: 0, unit: '', parts };
}

export function amount(value: number, { unit }: Pick<Row, 'unit'>): string {
  return `${number(value)} ${unit}`.trim();
}

function number(value: number): string {
  return value.toLocaleString('en', { maximumFractionDigits: 4 });
}
