import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

const pages = globSync('src/pages/**/*.{ts,tsx}');

export const routes = pages.filter((file) => !file.includes('_interceptors'));

/** What a file imports besides types, which cost nothing: packages by their names, our own files by their paths. */
export function importsOf(file: string): string[] {
  const source = readFileSync(file, 'utf8');
  const imports = /^import (?!type )(?:[^;']*? from )?'([^']+)';|\bimport\(\s*'([^']+)'/gms;
  return [...source.matchAll(imports)].map(([, now, later]) =>
    (now ?? later ?? '')
      .replace(/^#(?!locales\/)/, 'src/')
      .replace(/^#locales\//, 'locales/')
      .replace(/^\.{1,2}\/.*/s, (relative) => path.join(path.dirname(file), relative)),
  );
}
