import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { decodedMappings, TraceMap } from '@jridgewell/trace-mapping';

const buildFolder = 'dist';
const assets = `${buildFolder}/public/assets`;

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

/** The scripts of the client build, as paths in the build's folder. */
export function browserFiles(): string[] {
  return assetsNamed('js').map(fileOf);
}

/** The modules of the worker, likewise. */
export function serverFiles(): string[] {
  return globSync('server/**/*.js', { cwd: buildFolder });
}

export function fileOf(script: string): string {
  return `public/assets/${script}`;
}

/** The modules of packages that a file of the build is made of: `zod/v4/mini/schemas.js`. */
export function modulesOf(file: string): string[] {
  return sourcesOf(file).flatMap((source) => {
    const [, module] = /^.*\/node_modules\/(.+)$/.exec(source) ?? [];
    return module === undefined ? [] : [module];
  });
}

/** The packages that a file of the build has modules of. */
export function packagesOf(file: string): string[] {
  return modulesOf(file).map((module) => /^(?:@[^/]+\/)?[^/]+/.exec(module)?.[0] ?? module);
}

/** All files that a file of the build is made of. */
export function sourcesOf(file: string): string[] {
  return sourceMapOf(file)?.sources.map(String) ?? [];
}

/** What a file of the build holds of each of its sources. */
export function codeBySource(file: string): { source: string; code: string }[] {
  const map = sourceMapOf(file);
  if (map === null) {
    return [];
  }
  const lines = readFileSync(path.join(buildFolder, file), 'utf8').split('\n');
  // Each mapping holds from its column to that of the next.
  return decodedMappings(map).flatMap((mappings, line) =>
    mappings.flatMap(([column, source], index) => {
      const code = lines[line]?.slice(column, mappings[index + 1]?.[0]) ?? '';
      return source === undefined ? [] : [{ source: String(map.sources[source]), code }];
    }),
  );
}

/** Null for what the bundler has written itself, such as lists of exports. */
function sourceMapOf(file: string): TraceMap | null {
  const map = path.join(buildFolder, 'source-maps', `${file}.map`);
  return existsSync(map) ? new TraceMap(readFileSync(map, 'utf8')) : null;
}
