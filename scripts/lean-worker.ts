import type { Plugin } from 'vite';

const nothing = '\0lean-worker:nothing';

/**
 * Removes from the worker what libraries import and nothing calls. The build fails if one of these
 * modules is no longer imported.
 */
export function leanWorker(): Plugin[] {
  return [
    // React's `renderToString`, of `react-dom/server.edge`: 29 kB packed of every cold start.
    without('./cjs/react-dom-server-legacy.browser.production.js', 'ssr'),
    // Resend's parser of received emails, 20 kB packed: we only send.
    without('postal-mime', 'rsc'),
  ];
}

function without(module: string, environment: string): Plugin {
  let isLeftOut = false;
  return {
    name: `lean-worker:${module}`,
    apply: 'build',
    enforce: 'pre',
    applyToEnvironment: ({ name }) => name === environment,
    resolveId(imported) {
      if (imported !== module) {
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
          `Nothing imports ${module} anymore. See where its code comes from now, and name that in scripts/lean-worker.ts, or remove the line there if nothing brings it along.`,
        );
      }
    },
  };
}
