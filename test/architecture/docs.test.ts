import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { logEvents } from '../../src/vocabulary.ts';
import { migratedDatabase } from '../migrated-schema.ts';

test('every file that docs/security.md names exists, and every test that a table of docs names', () => {
  const files = [...readFileSync('docs/security.md', 'utf8').matchAll(/`([\w./-]+\.tsx?)`/g)];
  const lost = files
    .map(([, file = '']) => file)
    .filter((file) => !['src/', 'test/', ''].some((folder) => existsSync(folder + file)));
  const tables = ['docs/spec-coverage.md', 'docs/operating.md'];
  const rows = tables.flatMap((document) => [
    ...readFileSync(document, 'utf8').matchAll(/\| ([^|]+) › ([^|]+) \|$/gm),
  ]);
  const unknown = rows.filter(([, file = '', name = '']) => {
    const source = file.endsWith('.ts') ? `test/${file}` : `test/e2e/${file}.spec.ts`;
    return !existsSync(source) || !readFileSync(source, 'utf8').includes(name);
  });

  expect(lost).toEqual([]);
  expect(unknown.map(([row]) => row)).toEqual([]);
});

test('docs/operating.md explains exactly the events that are logged', () => {
  const events = Object.keys(logEvents);
  const watched = readFileSync('docs/operating.md', 'utf8')
    .split('\n')
    .filter((line) => /^\| \**`[a-z_]+`/.test(line))
    .flatMap((line) => [...(line.split('|')[1] ?? '').matchAll(/`(\w+)`/g)])
    .map(([, event]) => event);

  expect(events.length).toBeGreaterThan(20);
  expect(watched.filter((event) => event?.includes('_') || event === 'failure').sort()).toEqual(
    [...events, 'failure'].sort(),
  );
});

test('all SQL in docs/operating.md runs on the migrated schema', () => {
  const database = migratedDatabase();
  const statements = [
    ...readFileSync('docs/operating.md', 'utf8').matchAll(/```sql\n([^`]+)```/g),
  ].map(([, statement = '']) => statement);

  expect(statements.length).toBeGreaterThan(5);
  for (const statement of statements) {
    expect(() => database.exec(statement), statement).not.toThrow();
  }
});
