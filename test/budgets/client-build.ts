import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';

const assets = 'dist/public/assets';

/** In bytes, packed as they travel. */
export function weigh(content: string | Buffer): number {
  return gzipSync(content, { level: 9 }).length;
}

/** Each file of the client build with this extension, by its name. */
export function assetsNamed(extension: 'css' | 'js'): string[] {
  return globSync(`*.${extension}`, { cwd: assets });
}

export function contentOf(asset: string): string {
  return readFileSync(path.join(assets, asset), 'utf8');
}

/** What a browser loads with a document: the scripts it names, and whatever these import before they run. */
export function scriptsOf(html: string): string[] {
  const found = new Set(
    [...html.matchAll(/\/assets\/([\w.-]+\.js)\b/g)].map(([, name = '']) => name),
  );
  // A set is walked through with what is added on the way.
  for (const script of found) {
    for (const [, name = ''] of contentOf(script).matchAll(
      /\b(?:from|import)\s*["'`]\.\/([\w.-]+\.js)["'`]/g,
    )) {
      found.add(name);
    }
  }
  return [...found];
}

/** The weight of each of these files, by its name without the hash that changes with every build. */
export function weightsOf(files: { name: string; content: string }[]): Record<string, number> {
  const weights: Record<string, number> = {};
  for (const { name, content } of files) {
    const lasting = name.replace(/-[\w-]{8}(?=\.\w+$)/, '');
    weights[lasting] = (weights[lasting] ?? 0) + weigh(content);
  }
  return weights;
}

/** The modules of packages that a script of the client build is made of: `zod/v4/mini/schemas.js`. */
export function modulesOf(script: string): string[] {
  return sourcesOf(script).flatMap((source) => {
    const [, module] = /^.*\/node_modules\/(.+)$/.exec(source) ?? [];
    return module === undefined ? [] : [module];
  });
}

/** All files that a script is made of. What the bundler has written itself, such as lists of exports, has no source map. */
export function sourcesOf(script: string): string[] {
  const file = `dist/source-maps/public/assets/${script}.map`;
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).sources : [];
}
