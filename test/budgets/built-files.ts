import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { decodedMappings, TraceMap } from '@jridgewell/trace-mapping';

const buildFolder = 'dist';
const assets = `${buildFolder}/public/assets`;

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

/** The size of each of these files, by its name without the content hash. */
export function weightsOf(files: { name: string; content: string }[]): Record<string, number> {
  const weights: Record<string, number> = {};
  for (const { name, content } of files) {
    const lasting = name.replace(/-[\w-]{8}(?=\.\w+$)/, '');
    weights[lasting] = (weights[lasting] ?? 0) + weigh(content);
  }
  return weights;
}

/** The scripts of the client build, as paths in the build's folder. */
export function browserFiles(): string[] {
  return assetsNamed('js').map(fileOf);
}

/** The worker's modules, also as paths. */
export function serverFiles(): string[] {
  return globSync('server/**/*.js', { cwd: buildFolder });
}

export function fileOf(script: string): string {
  return `public/assets/${script}`;
}

/** The package modules that a built file consists of: `zod/v4/mini/schemas.js`. */
export function modulesOf(file: string): string[] {
  return sourcesOf(file).flatMap((source) => {
    const [, module] = /^.*\/node_modules\/(.+)$/.exec(source) ?? [];
    return module === undefined ? [] : [module];
  });
}

/** The packages that a built file has modules of. */
export function packagesOf(file: string): string[] {
  return modulesOf(file).map((module) => /^(?:@[^/]+\/)?[^/]+/.exec(module)?.[0] ?? module);
}

/** All source files that a built file consists of. */
export function sourcesOf(file: string): string[] {
  return sourceMapOf(file)?.sources.map(String) ?? [];
}

/** The parts of a built file, by source. */
export function codeBySource(file: string): { source: string; code: string }[] {
  const map = sourceMapOf(file);
  if (map === null) {
    return [];
  }
  const lines = readFileSync(path.join(buildFolder, file), 'utf8').split('\n');
  // Each mapping covers the columns up to the next one.
  return decodedMappings(map).flatMap((mappings, line) =>
    mappings.flatMap(([column, source], index) => {
      const code = lines[line]?.slice(column, mappings[index + 1]?.[0]) ?? '';
      return source === undefined ? [] : [{ source: String(map.sources[source]), code }];
    }),
  );
}

/** Null for code that the bundler generates, such as lists of exports. */
function sourceMapOf(file: string): TraceMap | null {
  const map = path.join(buildFolder, 'source-maps', `${file}.map`);
  return existsSync(map) ? new TraceMap(readFileSync(map, 'utf8')) : null;
}
