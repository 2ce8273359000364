import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { afterStep, readSteps, type Step } from './adding-a-feature.ts';

/** Written by commands, and committed. */
const generated = /^(migrations\/|locales\/|docs\/schema\.sql$)/;

/** The tests that see the new feature: its own, those made from examples, and those of pages. */
const suites: Record<string, string[]> = {
  workerd: ['features/notes', 'api/schema', 'limits/limits.test', 'export-account', 'db/plans'],
  built: [
    'architecture/pages',
    'architecture/modules',
    'architecture/ranks',
    'architecture/texts',
    'built/pages.test',
    'built/page-facts',
    'built/typed-texts',
  ],
  budgets: ['pages', 'cold-start'],
};

const scratch = path.resolve('.wrangler/adding-a-feature');

/**
 * Follows docs/adding-a-feature.md in a copy of the repository, commands included, and runs the
 * checks and tests there. Fails if a step does not fit, a check fails, or a command has changed a
 * file that the page does not mention.
 */
copyRepository();
const before = readAll();
const steps = readSteps();
for (const step of steps.filter(({ language }) => language !== 'po')) {
  apply(step);
}
run('npm', ['run', '--silent', 'migration', '--', 'add-notes']);
run('npm', ['run', '--silent', 'catalogs']);
for (const step of steps.filter(({ language }) => language === 'po')) {
  apply(step);
}
checkFiles();
for (const script of ['catalogs:check', 'typecheck', 'lint']) {
  run('npm', ['run', '--silent', script]);
}
run('node', ['scripts/run.mjs', 'build']);
for (const [project, files] of Object.entries(suites)) {
  const config = ['--config', 'test/vitest.config.ts', '--project', project];
  run('vitest', ['run', ...config, ...files]);
}
rmSync(scratch, { recursive: true });
console.log(`${steps.length} files were written by hand, and all checks pass.`);

function copyRepository(): void {
  rmSync(scratch, { recursive: true, force: true });
  for (const file of listFiles()) {
    mkdirSync(path.dirname(path.join(scratch, file)), { recursive: true });
    cpSync(file, path.join(scratch, file));
  }
  // Hard links: a package that is found in another place would be loaded twice.
  execFileSync('cp', ['-al', 'node_modules', path.join(scratch, 'node_modules')]);
  if (existsSync('.dev.vars')) {
    cpSync('.dev.vars', path.join(scratch, '.dev.vars'));
  }
}

/** What is committed, or will be. */
function listFiles(): string[] {
  const args = ['ls-files', '--cached', '--others', '--exclude-standard', '-z'];
  const files = execFileSync('git', args, { encoding: 'utf8' }).split('\0');
  return files.filter((file) => file !== '' && existsSync(file));
}

function apply(step: Step): void {
  const file = path.join(scratch, step.file);
  const source = existsSync(file) ? readFileSync(file, 'utf8') : null;
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, afterStep(step, source));
}

/** @throws Error naming files that neither the page nor a command of it is known to write */
function checkFiles(): void {
  const named = new Set(steps.map(({ file }) => file));
  const changed = [...readAll()].filter(([file, text]) => before.get(file) !== text);
  const others = changed.map(([file]) => file).filter((file) => !named.has(file));
  const unknown = others.filter((file) => !generated.test(file));
  console.log(`Written by hand: ${named.size} files. By commands: ${others.join(', ')}`);
  if (unknown.length > 0) {
    throw new Error(`The page does not mention ${unknown.join(', ')}`);
  }
}

function readAll(): Map<string, string> {
  const folders = '{src,test,migrations,locales,docs,scripts}/**/*.*';
  const files = globSync([folders, '*.{ts,json,toml,md}'], { cwd: scratch });
  return new Map(files.map((file) => [file, readFileSync(path.join(scratch, file), 'utf8')]));
}

function run(command: string, args: string[]): void {
  console.log(`${command} ${args.join(' ')}`);
  const bin = path.join(scratch, 'node_modules/.bin');
  const env = { ...process.env, PATH: `${bin}${path.delimiter}${process.env['PATH']}` };
  execFileSync(command, args, { cwd: scratch, env, stdio: 'inherit' });
}
