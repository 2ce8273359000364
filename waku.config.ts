import { cloudflare } from '@cloudflare/vite-plugin';
import { lingui, linguiTransformerBabelPreset } from '@lingui/vite-plugin';
import babel from '@rolldown/plugin-babel';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig } from 'waku/config';
import { leanWorker } from './scripts/lean-worker.ts';

/** Set by `npm run dev` alone: what the worker is told there, and where its data lies. */
const { LOCAL_VARS, STATE_FOLDER } = process.env;
/** Each build has a folder of its own: what is served from one is not taken away by the next. */
const { BUILD_FOLDER = 'dist' } = process.env;
const local = LOCAL_VARS
  ? { config: { vars: JSON.parse(LOCAL_VARS) }, persistState: { path: STATE_FOLDER ?? '' } }
  : {};

const serverDependencies = [
  '@hono/zod-validator',
  '@lingui/core',
  '@lingui/react',
  '@lingui/react/server',
  'arctic',
  'drizzle-orm',
  'drizzle-orm/d1',
  'drizzle-orm/sqlite-core',
  'hono/body-limit',
  'hono/cookie',
  'hono/factory',
  'hono/hono-base',
  'hono/html',
  'hono/http-exception',
  'hono/method-not-allowed',
  'hono/request-id',
  'hono/router/trie-router',
  'hono/secure-headers',
  'hono/tiny',
  'hono/utils/accept',
  'hono/utils/cookie',
  'hono/utils/url',
  'resend',
  'toucan-js',
  'yaml',
  'zod/mini',
];

export default defineConfig({
  distDir: BUILD_FOLDER,
  vite: {
    build: {
      // For error reports; `npm run build` puts them where nobody is served them.
      sourcemap: 'hidden',
      // Where `light-dark()` is at home; what stands in src/styles asks for as much.
      cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    },
    // Sentry's own switch: without what its SDK says of itself to a developer's console.
    define: { __SENTRY_DEBUG__: 'false', __SENTRY_TRACING__: 'false' },
    plugins: [
      lingui({ failOnMissing: false, failOnCompileError: true }),
      babel({ presets: [linguiTransformerBabelPreset()] }),
      tailwindcss(),
      leanWorker(),
      cloudflare({
        viteEnvironment: { name: 'rsc', childEnvironments: ['ssr'] },
        inspectorPort: false,
        ...local,
      }),
    ],
    environments: {
      client: {
        build: {
          rolldownOptions: {
            output: {
              // What is needed together, in one piece with all that it imports: compressed so it is smaller than in many. What
              // comes first takes first; names with a colon are Waku's lists of islands that pages ask for together.
              codeSplitting: {
                groups: [
                  // Browsers keep it from deploy to deploy: its name changes with React alone.
                  { name: 'react', test: /\/node_modules\/(react|scheduler)/ },
                  {
                    name: 'index',
                    test: /entry\.browser|\/src\/(client|ui|router|db\/values|lib\/write-cookie)|:(node_modules|src\/(ui|pages\/_root))/,
                  },
                  { name: 'shell', test: /:src\/(client|features\/courses)\// },
                  { name: 'settings', test: /:src\/(features|pages)\/settings\// },
                ],
              },
            },
          },
        },
      },
      rsc: {
        // All at once: what the development server finds one by one it loads anew, and then has twice.
        optimizeDeps: { include: serverDependencies },
        build: {
          minify: true,
          rolldownOptions: {
            platform: 'neutral',
            treeshake: {
              // They do not say so themselves: they declare functions and constants.
              moduleSideEffects: [
                { test: /\/node_modules\/(@oslojs|postal-mime)\//, sideEffects: false },
              ],
              propertyReadSideEffects: false,
            },
            output: {
              // What every request runs, in one piece. What pages add stays apart: by that the scripts of islands are divided.
              codeSplitting: {
                groups: [{ name: 'worker', test: /\/src\/(waku\.server\.tsx|page-request\.ts)$/ }],
              },
            },
          },
        },
      },
      ssr: {
        optimizeDeps: {
          include: ['waku > rsc-html-stream/server', 'zod/mini'],
        },
        build: {
          minify: true,
          rolldownOptions: {
            platform: 'neutral',
            output: { codeSplitting: { groups: [{ name: 'islands', test: /\/src\/.*\.tsx$/ }] } },
          },
        },
      },
    },
  },
});
