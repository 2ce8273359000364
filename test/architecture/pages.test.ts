import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { publicPages } from '../built/pages.ts';
import { routes } from './imports.ts';

const frame = /<(AppShell|CohortFrame)\s+request=\{request\}|<PageTools viewer=/;

const pages = routes.map((file) => ({
  file,
  page: path.relative('src/pages', file).replace(/(\/index)?\.tsx$/, ''),
}));

test.each(pages)(
  '$page gets its request in its first line; if it is not public, also its user, and the error dialog, toasts, keyboard and tooltips',
  ({ file, page }) => {
    const source = readFileSync(file, 'utf8');
    const [, firstLine = ''] =
      /export default (?:async )?function \w+\([^)]*\)[^{]*\{\n\s*([^\n]*)/.exec(source) ?? [];

    if (['_root', ...publicPages].includes(page)) {
      expect(firstLine).toMatch(/\b(pageRequest\(\)|learnerRequest\(\)|await requireNobody\()/);
    } else if (!firstLine.startsWith('return cohortPage(')) {
      expect(firstLine).toMatch(/\bawait (requireUser|requireCourse)\(/);
      expect(source + framedFor(source)).toMatch(frame);
    }
  },
);

/** The source of a feature's module that frames the page, if the page hands it its request. */
function framedFor(source: string): string {
  const [, name] = /<(?!MissingPage)(\w+Page)\s+request=\{request\}/.exec(source) ?? [];
  const [, module] = new RegExp(`{ ${name} } from '#([^']+)'`).exec(source) ?? [];
  return module === undefined ? '' : readFileSync(`src/${module}`, 'utf8');
}

test('cohortPage() does the same for the pages of a cohort', () => {
  const source = readFileSync('src/cohort-page.tsx', 'utf8');
  expect(source).toMatch(/Promise<ReactElement> \{\n\s*const request = await requireCourse</);
  expect(source).toMatch(frame);
});
