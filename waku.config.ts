import { cloudflare } from '@cloudflare/vite-plugin';
import { lingui, linguiTransformerBabelPreset } from '@lingui/vite-plugin';
import babel from '@rolldown/plugin-babel';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig } from 'waku/config';

export default defineConfig({
  vite: {
    plugins: [
      lingui({ failOnMissing: false, failOnCompileError: true }),
      babel({ presets: [linguiTransformerBabelPreset()] }),
      tailwindcss(),
      cloudflare({
        viteEnvironment: { name: 'rsc', childEnvironments: ['ssr'] },
        inspectorPort: false,
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
