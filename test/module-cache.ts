import { readFileSync } from 'node:fs';
import type { Plugin } from 'vite';
import type {} from 'vitest/config';

type Fetched = { file: string; id: string; url: string; invalidate: boolean; tmp?: string };
/** Vitest's function that returns modules, which its types do not include. */
type WithFetcher = { _fetcher: (...args: unknown[]) => Promise<Fetched> };

/**
 * Lets workerd use Vitest's cache of transformed modules. Vitest hands out the path of a cached file,
 * which workerd cannot open, so this sends the file's text. Modules whose names differ in each run
 * are not cached.
 */
export function readModuleCache(): Plugin {
  return {
    name: 'read-module-cache',
    configureVitest({ project, experimental_defineCacheKeyGenerator: defineKey }) {
      const catalogs = readFileSync('lingui.config.ts', 'utf8');
      defineKey(({ id, sourceCode }) =>
        [id, sourceCode].some((text) => text.includes('cloudflare:test')) ? false : catalogs,
      );
      // Every project has it.
      const fetcher = project as unknown as WithFetcher;
      const fetchModule = fetcher._fetcher;
      fetcher._fetcher = async (...args) => {
        const { tmp, ...fetched } = await fetchModule(...args);
        if (tmp === undefined) {
          return fetched;
        }
        const { file, id, url, invalidate } = fetched;
        const code = readFileSync(tmp, 'utf8');
        return { code, file, id, url, invalidate };
      };
    },
  };
}
