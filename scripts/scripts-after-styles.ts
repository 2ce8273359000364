import type { Plugin } from 'vite';

/** What `@vitejs/plugin-rsc` lets other plugins see. */
type RscApi = { manager: { buildAssetsManifest?: { clientEntryDeps?: { js: string[] } } } };

/**
 * Gives the preload of every script a low priority, so that styles and font have the connection to
 * themselves until the first paint. The RSC plugin does so for islands, but not for what the entry
 * imports, which is React and most bytes. The build fails if it no longer lists these.
 */
export function scriptsAfterStyles(): Plugin {
  return {
    name: 'scripts-after-styles',
    apply: 'build',
    applyToEnvironment: ({ name }) => name === 'client',
    writeBundle() {
      const { plugins } = this.environment.getTopLevelConfig();
      const api: RscApi | undefined = plugins.find(({ name }) => name === 'rsc:minimal')?.api;
      const entry = api?.manager.buildAssetsManifest?.clientEntryDeps;
      if (!entry?.js.length) {
        this.error(
          'The RSC plugin no longer lists the scripts of the entry. See its preloadDeps() for how it chooses priorities now.',
        );
      }
      // Islands have them in their own lists too, so each is still preloaded.
      entry.js = [];
    },
  };
}
