import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { publicPages } from '../built/pages.ts';
import { routes } from './imports.ts';

const frame = /<(AppShell|CohortFrame)\s+request=\{request\}|<PageTools viewer=/;

test.each(routes.map((file) => ({ file, page: path.relative('src/pages', file).slice(0, -4) })))(
  '$page gets its request in its first line; if it is not public, also its user, and the error dialog, toasts, keyboard and tooltips',
  ({ file, page }) => {
    const source = readFileSync(file, 'utf8');
    const [, firstLine = ''] =
      /export default (?:async )?function \w+\([^)]*\)[^{]*\{\n\s*([^\n]*)/.exec(source) ?? [];

    if (['_root', ...publicPages].includes(page)) {
      expect(firstLine).toMatch(/\b(pageRequest\(\)|await requireNobody\()/);
    } else if (!firstLine.startsWith('return cohortPage(')) {
      expect(firstLine).toMatch(/\bawait (requireUser|requireCourse)\(/);
      expect(source).toMatch(frame);
    }
  },
);

test('cohortPage() does the same for the pages of a cohort', () => {
  const source = readFileSync('src/cohort-page.tsx', 'utf8');
  expect(source).toMatch(/Promise<ReactElement> \{\n\s*const request = await requireCourse</);
  expect(source).toMatch(frame);
});
