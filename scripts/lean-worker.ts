import type { Plugin } from 'vite';

const legacyRenderer = './cjs/react-dom-server-legacy.browser.production.js';
const nothing = '\0lean-worker:nothing';

/**
 * Removes React's `renderToString` from the worker: `react-dom/server.edge` includes it, and
 * nothing calls it. It costs every cold start 29 kB packed. The build fails if it is no longer
 * included.
 */
export function leanWorker(): Plugin {
  let isLeftOut = false;
  return {
    name: 'lean-worker',
    apply: 'build',
    enforce: 'pre',
    applyToEnvironment: ({ name }) => name === 'ssr',
    resolveId(imported) {
      if (imported !== legacyRenderer) {
        return null;
      }
      isLeftOut = true;
      return nothing;
    },
    load(id) {
      return id === nothing ? 'export default undefined;' : null;
    },
    writeBundle() {
      if (!isLeftOut) {
        this.error(
          `React no longer imports ${legacyRenderer}. See where renderToString comes from now, and name that in scripts/lean-worker.ts, or remove the file where nothing brings it along.`,
        );
      }
    },
  };
}
