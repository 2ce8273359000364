import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseSync, Visitor } from 'rolldown/utils';

/** A statement or condition of a verb, and its position in the file. */
type Part = { file: string; inFunction: string; start: number; end: number; text: string };

const { MUTATIONS = '40', MUTATIONS_SEED = String(Date.now() % 1e6) } = process.env;

/** Not all: some parts have no visible effect, such as a second guard, a log or a shortcut. */
const wantedShare = 0.8;

/** What asks all verbs, in the order of what it costs; the whole suite for what nothing else saw. */
const testsOfAll = ['test/api/other-owners', 'test/db/plans', 'test/features/limits/'];
const allTests = 'test/';

/** Times what all tests take at first: enough for those that wait for what never happens. */
const timesAsLong = 3;

/**
 * Removes parts of verbs, one at a time in a copy of the project, and says which of them no test
 * noticed: calls, guards (`if (…) { throw … }`) and conditions of queries.
 *
 * `npm run mutations -- people/enroll` tries all parts whose `feature/file#function` contains that;
 * without words, it tries `MUTATIONS` parts, chosen at random by `MUTATIONS_SEED`.
 */
function main(words: readonly string[]): void {
  const files = execFileSync('git', ['ls-files', '-z'], { encoding: 'utf8' }).split('\0');
  const verbs = files.filter(
    (file) =>
      /^src\/(features|middleware|observability)\/.+\.ts$/.test(file) &&
      /^import 'server-only'/m.test(read(file)),
  );
  const parts = verbs.flatMap(partsOf);
  const chosen =
    words.length > 0
      ? parts.filter((part) => words.some((word) => nameOf(part).includes(word)))
      : shuffled(parts).slice(0, Number(MUTATIONS));
  console.log(`${chosen.length} of ${parts.length} parts, MUTATIONS_SEED=${MUTATIONS_SEED}`);

  const copy = mkdtempSync(path.join(os.tmpdir(), 'lectern-mutations-'));
  try {
    for (const file of files.filter((name) => name !== '')) {
      cpSync(file, path.join(copy, file));
    }
    symlinkSync(path.resolve('node_modules'), path.join(copy, 'node_modules'));
    const startedAt = performance.now();
    if (statusOf(copy, [allTests]) !== 0) {
      throw new Error('A test fails before anything is removed');
    }
    const timeLimitMs = Math.ceil(timesAsLong * (performance.now() - startedAt));
    const noticed = chosen.filter((part) => isNoticed(copy, part, timeLimitMs)).length;
    console.log(`${noticed} of ${chosen.length} removals were noticed`);
    process.exitCode = noticed > 0 && noticed >= wantedShare * chosen.length ? 0 : 1;
  } finally {
    rmSync(copy, { recursive: true });
  }
}

function isNoticed(copy: string, part: Part, timeLimitMs: number): boolean {
  const target = path.join(copy, part.file);
  const source = read(part.file);
  writeFileSync(target, source.slice(0, part.start) + source.slice(part.end));
  const nearest = existsSync(testsOf(part.file)) ? [testsOf(part.file)] : [];
  const hasFailed = [[...nearest, ...testsOfAll], [allTests]].some(
    (tests) => statusOf(copy, tests, timeLimitMs) === 1,
  );
  writeFileSync(target, source);
  console.log(`${hasFailed ? '✓' : '✗'}  ${nameOf(part)}: ${part.text}`);
  return hasFailed;
}

/** How these tests end: 0 if all pass, 1 if one fails, null if they take too long (0: no limit). */
function statusOf(copy: string, tests: string[], timeLimitMs = 0): number | null {
  const config = ['--config', 'test/vitest.config.ts', '--project', 'workerd', '--retry', '0'];
  const { status } = spawnSync('vitest', ['run', ...config, '--bail', '1', ...tests], {
    cwd: copy,
    stdio: 'ignore',
    timeout: timeLimitMs,
  });
  return status;
}

/** What can be removed from the functions of a file without a syntax error. */
function partsOf(file: string): Part[] {
  const source = read(file);
  const parts: Part[] = [];
  // The outermost first.
  const functions: string[] = [];
  const add = (start: number, end: number) => {
    const [inFunction] = functions;
    if (inFunction !== undefined) {
      const text = source.slice(start, end).replace(/\s+/g, ' ').trim().slice(0, 80);
      parts.push({ file, inFunction, start, end, text });
    }
  };
  const visitor = new Visitor({
    FunctionDeclaration: ({ id }) => {
      functions.push(id?.name ?? '');
    },
    'FunctionDeclaration:exit': () => {
      functions.pop();
    },
    ExpressionStatement: ({ start, end }) => add(start, end),
    IfStatement: ({ start, end, alternate }) => {
      const isElse = /else\s+$/.test(source.slice(0, start));
      if (alternate === null && !isElse) {
        add(start, end);
      }
    },
    CallExpression: ({ callee, arguments: conditions }) => {
      if (callee.type === 'Identifier' && callee.name === 'and') {
        for (const [index, condition] of conditions.entries()) {
          const before = conditions[index - 1];
          const next = conditions[index + 1];
          if (next !== undefined) {
            add(condition.start, next.start);
          } else if (before !== undefined) {
            add(before.end, condition.end);
          }
        }
      }
    },
    TaggedTemplateExpression: ({ quasi: { start, end } }) => {
      // A condition on a line of its own.
      for (const line of source.slice(start, end).matchAll(/^ *AND [^\n()`]+$/gm)) {
        add(start + line.index, start + line.index + line[0].length);
      }
    },
  });
  visitor.visit(parseSync(file, source).program);
  return parts;
}

/** The folder of tests of a verb: that of its feature, or of the folder that it is in. */
function testsOf(file: string): string {
  return `test/${path.dirname(file).split('/').slice(1, 3).join('/')}/`;
}

function nameOf({ file, inFunction }: Part): string {
  return `${file.replace(/^src\/(features\/)?|\.ts$/g, '')}#${inFunction}`;
}

function read(file: string): string {
  return readFileSync(file, 'utf8');
}

/** In an order that the seed decides. */
function shuffled<Item>(items: readonly Item[]): Item[] {
  let state = Number(MUTATIONS_SEED);
  const random = () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state;
  };
  return items
    .map((item) => ({ item, rank: random() }))
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ item }) => item);
}

main(process.argv.slice(2));
