/** A piece of two texts: in both of them, or only in the one before or after. */
export type Change = { kind: 'same' | 'removed' | 'added'; text: string };

/** Larger tables take too long: what lies between the same beginning and end is then all changed. */
const mostCells = 250_000;

/** What has changed between two lists of pieces, such as words, in the order of both. */
export function diff(before: string[], after: string[]): Change[] {
  let start = 0;
  while (start < before.length && before[start] === after[start]) {
    start += 1;
  }
  let end = 0;
  const room = Math.min(before.length, after.length) - start;
  while (end < room && before.at(-1 - end) === after.at(-1 - end)) {
    end += 1;
  }
  const removed = before.slice(start, before.length - end);
  const added = after.slice(start, after.length - end);
  return [
    ...before.slice(0, start).map((text) => ({ kind: 'same', text }) as const),
    ...between(removed, added),
    ...before.slice(before.length - end).map((text) => ({ kind: 'same', text }) as const),
  ];
}

/** The words of a text, each with the space after it; also the last one, so that it is the same. */
export function wordsOf(text: string): string[] {
  return `${text} `.match(/\S+\s+/gu) ?? [];
}

/** By the longest sequence that both have. */
function between(before: string[], after: string[]): Change[] {
  const width = after.length + 1;
  const isLarge = (before.length + 1) * width > mostCells;
  // How long that is of what begins at both places.
  const lengths = new Uint16Array(isLarge ? 0 : (before.length + 1) * width);
  const lengthAt = (row: number, column: number) => lengths[row * width + column] ?? 0;
  for (let row = isLarge ? -1 : before.length - 1; row >= 0; row -= 1) {
    for (let column = after.length - 1; column >= 0; column -= 1) {
      lengths[row * width + column] =
        before[row] === after[column]
          ? lengthAt(row + 1, column + 1) + 1
          : Math.max(lengthAt(row + 1, column), lengthAt(row, column + 1));
    }
  }
  const changes: Change[] = [];
  let [row, column] = [0, 0];
  while (row < before.length || column < after.length) {
    const [removed, added] = [before[row], after[column]];
    if (removed !== undefined && removed === added && !isLarge) {
      changes.push({ kind: 'same', text: removed });
      row += 1;
      column += 1;
    } else if (
      removed !== undefined &&
      (added === undefined || lengthAt(row + 1, column) >= lengthAt(row, column + 1))
    ) {
      changes.push({ kind: 'removed', text: removed });
      row += 1;
    } else {
      changes.push({ kind: 'added', text: added ?? '' });
      column += 1;
    }
  }
  return changes;
}

/** With neighbors of one kind as one piece: of long texts, there would be thousands. */
export function joined(changes: Change[]): Change[] {
  const runs: Change[] = [];
  for (const { kind, text } of changes) {
    const last = runs.at(-1);
    if (last?.kind === kind) {
      last.text += text;
    } else {
      runs.push({ kind, text });
    }
  }
  return runs;
}

/** Two blocks that were changed into each other, or one that is only before or after. */
export type ChangedBlock = { before: string | null; after: string | null };

/** The blocks of two texts in order, with those that take each other's place as pairs. */
export function diffBlocks(before: string[], after: string[]): ChangedBlock[] {
  const blocks: ChangedBlock[] = [];
  let removed: string[] = [];
  let added: string[] = [];
  const flush = () => {
    for (let at = 0; at < Math.max(removed.length, added.length); at += 1) {
      blocks.push({ before: removed[at] ?? null, after: added[at] ?? null });
    }
    [removed, added] = [[], []];
  };
  for (const { kind, text } of diff(before, after)) {
    if (kind === 'same') {
      flush();
      blocks.push({ before: text, after: text });
    } else {
      (kind === 'removed' ? removed : added).push(text);
    }
  }
  flush();
  return blocks;
}
