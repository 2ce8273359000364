import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { decodedMappings, TraceMap } from '@jridgewell/trace-mapping';
import type { Row } from './budgets.ts';

const assets = 'dist/public/assets';

/** The folder of the worker's modules. */
export const serverFolder = 'dist/server';

/** In bytes, compressed. */
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

/** Each module of the worker, as a path in its folder. */
export function serverModules(): string[] {
  return globSync('**/*.js', { cwd: serverFolder });
}

/** The scripts that a document names, and everything they import before they run. */
export function scriptsOf(html: string): string[] {
  const found = new Set(
    [...html.matchAll(/\/assets\/([\w.-]+\.js)\b/g)].map(([, name = '']) => name),
  );
  // Iterating a set includes elements added on the way.
  for (const script of found) {
    for (const [, name = ''] of contentOf(script).matchAll(
      /\b(?:from|import)\s*["'`]\.\/([\w.-]+\.js)["'`]/g,
    )) {
      found.add(name);
    }
  }
  return [...found];
}

/** The compressed size of a module of the worker. */
export function weighModule(name: string): number {
  return weigh(readFileSync(path.join(serverFolder, name)));
}

/** Where a built file is, in the build's folder. */
type Folder = 'public/assets' | 'server';

/** Null for code that the bundler generates, such as lists of exports. */
function sourceMapOf(name: string, folder: Folder): TraceMap | null {
  const map = path.join('dist/source-maps', folder, `${name}.map`);
  return existsSync(map) ? new TraceMap(readFileSync(map, 'utf8')) : null;
}

/** The package modules that a built file consists of: `zod/v4/mini/schemas.js`. */
export function modulesOf(name: string, folder: Folder = 'public/assets'): string[] {
  return (sourceMapOf(name, folder)?.sources ?? []).flatMap((source) => {
    const [, module] = /^.*\/node_modules\/(.+)$/.exec(String(source)) ?? [];
    return module === undefined ? [] : [module];
  });
}

/** The packages whose modules a built file contains. */
export function packagesOf(name: string, folder?: Folder): string[] {
  return modulesOf(name, folder).map((module) => /^(?:@[^/]+\/)?[^/]+/.exec(module)?.[0] ?? module);
}

/** The size of each feature's built code, compressed: in the worker and in browsers. */
export function bytesByFeature(features: string[]): Row[] {
  const places = [
    ['server', 'in the worker', serverModules()],
    ['public/assets', 'in browsers', assetsNamed('js')],
  ] as const;
  return places.flatMap(([folder, where, files]) => {
    const code = new Map(features.map((feature) => [feature, '']));
    for (const name of files) {
      for (const [source, piece] of codeBySource(name, folder)) {
        const [, feature = ''] = /src\/features\/([^/]+)\//.exec(source) ?? [];
        code.set(feature, (code.get(feature) ?? '') + piece);
      }
    }
    return features.map((feature) => ({
      what: `feature ${feature}, ${where}`,
      measured: weigh(code.get(feature) ?? ''),
      unit: 'B' as const,
    }));
  });
}

/** The pieces of a built file, each with its source. */
function codeBySource(name: string, folder: Folder): [source: string, piece: string][] {
  const map = sourceMapOf(name, folder);
  if (map === null) {
    return [];
  }
  const lines = readFileSync(path.join('dist', folder, name), 'utf8').split('\n');
  // Each mapping covers the columns up to the next one.
  return decodedMappings(map).flatMap((mappings, line) =>
    mappings.flatMap(([column, source], index): [string, string][] =>
      source === undefined
        ? []
        : [
            [
              String(map.sources[source]),
              lines[line]?.slice(column, mappings[index + 1]?.[0]) ?? '',
            ],
          ],
    ),
  );
}
