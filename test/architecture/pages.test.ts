import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { pageList } from '../page-list.ts';
import { routes } from './imports.ts';

/** Public pages; every other page must ask for its user. */
const publicPages = [
  '_root',
  '404',
  'c/[slug]',
  'confirm',
  'login',
  'p/[link]',
  'p/address',
  'p/confirm',
  'p/data',
  'p/remove',
  'p/unsubscribe',
  'privacy',
  'signup',
  'terms',
  'undo-address-change',
];

test('src/pages contains these public routes, and all others require a user', () => {
  const files = routes.map((file) => path.relative('src/pages', file).replace('.tsx', ''));
  const asking = pageList.filter(({ reader }) => reader !== 'nobody').map(({ file }) => file);

  expect(files.sort()).toEqual([...publicPages, ...asking].sort());
});

test.each(routes)('%s declares how it renders', (file) => {
  expect(readFileSync(file, 'utf8')).toContain(
    "export const getConfig = async () => ({ render: 'dynamic' }) as const;",
  );
});

test.each(routes)(
  '%s gets its request, and a signed-in page its user, in its first line',
  (file) => {
    const [, firstLine = ''] =
      /export default (?:async )?function \w+\([^)]*\)[^{]*\{\n\s*([^\n]*)/.exec(
        readFileSync(file, 'utf8'),
      ) ?? [];

    expect(firstLine).toMatch(
      isPublic(file)
        ? /\b(pageRequest\(\)|await requireNobody\()/
        : /\bawait (requireUser|requireCourse)\(/,
    );
  },
);

test.each(routes.filter((file) => !isPublic(file)))(
  '%s has the error dialog, toasts, keyboard and tooltips',
  (file) => {
    expect(readFileSync(file, 'utf8')).toMatch(
      /<(AppShell|CohortFrame|ComingPage)\s+request=\{request\}|<PageTools viewer=/,
    );
  },
);

function isPublic(route: string): boolean {
  return publicPages.includes(path.relative('src/pages', route).replace('.tsx', ''));
}
