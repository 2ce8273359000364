import { cloudflare } from '@cloudflare/vite-plugin';
import { lingui, linguiTransformerBabelPreset } from '@lingui/vite-plugin';
import babel from '@rolldown/plugin-babel';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig } from 'waku/config';

/** Set by `npm run dev` alone: what the worker is told there, and where its data lies. */
const { LOCAL_VARS, STATE_FOLDER } = process.env;
const local = LOCAL_VARS
  ? { config: { vars: JSON.parse(LOCAL_VARS) }, persistState: { path: STATE_FOLDER ?? '' } }
  : {};

export default defineConfig({
  vite: {
    plugins: [
      lingui({ failOnMissing: false, failOnCompileError: true }),
      babel({ presets: [linguiTransformerBabelPreset()] }),
      tailwindcss(),
      cloudflare({
        viteEnvironment: { name: 'rsc', childEnvironments: ['ssr'] },
        inspectorPort: false,
        ...local,
      }),
    ],
    environments: {
      rsc: {
        optimizeDeps: { include: ['hono/tiny'] },
        build: { minify: true, rolldownOptions: { platform: 'neutral' } },
      },
      ssr: {
        optimizeDeps: { include: ['waku > rsc-html-stream/server'] },
        build: { minify: true, rolldownOptions: { platform: 'neutral' } },
      },
    },
  },
});
