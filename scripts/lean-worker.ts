import type { Plugin } from 'vite';

const legacyRenderer = './cjs/react-dom-server-legacy.browser.production.js';
const nothing = '\0lean-worker:nothing';

/**
 * Leaves React's `renderToString` out of the worker: `react-dom/server.edge` brings it along, and nothing
 * calls it. It is 29 kB packed of every cold start. The build fails when it no longer comes that way.
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
