import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BuiltWorker, createVisitor, startBuiltWorker } from './worker.ts';

const run = promisify(execFile);

let built: BuiltWorker;
let folder: string;

beforeAll(async () => {
  built = await startBuiltWorker();
  folder = mkdtempSync(path.join(os.tmpdir(), 'lectern-client-'));
});

afterAll(async () => {
  rmSync(folder, { recursive: true });
  await built.close();
});

test.each(['?format=json', '?format=yaml', '?format=yaml&lang=fr'])(
  'a public validator finds no mistakes in the document: %s',
  async (query) => {
    const response = await createVisitor(built.server).request(`/api/schema/${query}`);
    const text = await response.text();
    const validator = new Validator();
    // It would take a single line for a file name.
    const { valid, errors } = await validator.validate(
      query.includes('yaml') ? text : JSON.parse(text),
    );

    expect(errors ?? []).toEqual([]);
    expect(valid).toBe(true);
    expect(validator.version).toBe('3.1');
  },
);

test('the validator finds mistakes', async () => {
  const { valid } = await new Validator().validate({ openapi: '3.1.1', info: {}, paths: {} });

  expect(valid).toBe(false);
});

test('a client generated from the document by a public generator compiles, and its types are ours', async () => {
  const document = await createVisitor(built.server).request('/api/schema/');
  writeFileSync(path.join(folder, 'openapi.json'), await document.text());
  await run('oazapfts', [path.join(folder, 'openapi.json'), path.join(folder, 'client.ts')]);
  writeFileSync(
    path.join(folder, 'use.ts'),
    `import { getCourses, postCourses, type Course } from './client.ts';
     const made = await postCourses({ name: 'Biology', course_type: 'cohort' });
     if (made.status === 201) { const course: Course = made.data; course.is_selected satisfies boolean; }
     const list = await getCourses();
     if (list.status === 200) { list.data satisfies Course[]; }
     // @ts-expect-error A course has no such type.
     await postCourses({ name: 'Biology', course_type: 'workshop' });`,
  );
  // The generated code imports the generator's own runtime from our dependencies.
  const compiler = {
    module: 'esnext',
    moduleResolution: 'bundler',
    target: 'es2024',
    lib: ['es2024', 'dom', 'dom.iterable'],
    strict: true,
    noEmit: true,
    allowImportingTsExtensions: true,
    types: [],
    paths: { '*': [path.resolve('node_modules/*')] },
  };
  const config = path.join(folder, 'tsconfig.json');
  writeFileSync(config, JSON.stringify({ compilerOptions: compiler, files: ['use.ts'] }));

  await expect(run('tsc', ['-p', config])).resolves.toMatchObject({ stdout: '' });
});
