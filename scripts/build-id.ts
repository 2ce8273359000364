import { createHash } from 'node:crypto';
import { globSync, readFileSync, statSync } from 'node:fs';
import type { Plugin } from 'vite';

const sources = ['{locales,public,scripts,src}/**', '{package*.json,waku.config.ts,wrangler.toml}'];

/**
 * Gives the same sources the same build. Waku draws a random id for each, by which a browser
 * notices a deployment; it is part of one script and so of the names of all, and what a page
 * weighs would differ by some bytes from build to build.
 */
export function buildId(): Plugin {
  return {
    name: 'build-id',
    apply: 'build',
    // Before Waku, which keeps an id that is there.
    enforce: 'pre',
    config: () => ({
      define: { 'import.meta.env.WAKU_BUILD_ID': JSON.stringify(hashOfSources()) },
    }),
  };
}

/** Of what a build reads, except generated types and packages, whose versions are exact. */
export function hashOfSources(): string {
  const hash = createHash('sha256');
  for (const file of globSync(sources, { exclude: ['src/*.gen.*'] }).toSorted()) {
    if (statSync(file).isFile()) {
      hash.update(`${file}\0`).update(readFileSync(file)).update('\0');
    }
  }
  return hash.digest('base64url').slice(0, 16);
}
