type Renewal<Row> = {
  /** How long it may take; the next run does the rest. */
  limitMs: number;
  /** The next rows after one, so many at most; of the first ones, null. */
  read: (after: Row | null, most: number) => Promise<Row[]>;
  /** The row with its instants derived again. */
  renew: (row: Row) => Row;
  /** Writes the instants of rows that are still as they were read; returns how many these are. */
  write: (rows: Row[]) => Promise<number>;
};

/** Limits one statement, so that it does not block the database for long. */
const chunkRows = 1_000;

/**
 * Derives the instants of wall times again: countries change their clocks, and this runtime may know
 * of it when the one that wrote them did not. Where a zone is unknown here, they stay.
 */
export async function renewRows<Row extends { timeZone: string }>(
  { now }: { now: () => Date },
  { limitMs, read, renew, write }: Renewal<Row>,
): Promise<{ moved: number; unknownZones: number; isDone: boolean }> {
  const { isZone } = await import('./time/zones.ts');
  const end = now().getTime() + limitMs;
  let [moved, unknownZones, isDone] = [0, 0, false];
  let last: Row | null = null;
  while (!isDone && now().getTime() < end) {
    const rows: Row[] = await read(last, chunkRows);
    const inZones = rows.filter(({ timeZone }) => isZone(timeZone));
    unknownZones += rows.length - inZones.length;
    const renewed = inZones.flatMap((row) => {
      const next = renew(row);
      return JSON.stringify(next) === JSON.stringify(row) ? [] : [next];
    });
    moved += renewed.length === 0 ? 0 : await write(renewed);
    last = rows.at(-1) ?? null;
    isDone = rows.length < chunkRows;
  }
  return { moved, unknownZones, isDone };
}
