import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

const pages = globSync('src/pages/**/*.{ts,tsx}');

export const routes = pages.filter((file) => !file.includes('_interceptors'));

/** A file's imports, except types, which cost nothing: packages by name, our own files by path. */
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
