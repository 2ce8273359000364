import path from 'node:path';
import { cloudflare } from '@cloudflare/vite-plugin';
import { lingui, linguiTransformerBabelPreset } from '@lingui/vite-plugin';
import babel from '@rolldown/plugin-babel';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig } from 'waku/config';
import { leanWorker } from './scripts/lean-worker.ts';
import { scriptsAfterStyles } from './scripts/scripts-after-styles.ts';

/** Set only by `npm run dev`: the worker's settings and the folder of its data. */
const { LOCAL_VARS, STATE_FOLDER } = process.env;
/** Each build has its own folder, so that a build does not replace files that are being served. */
const { BUILD_FOLDER = 'dist' } = process.env;
const local = LOCAL_VARS
  ? { config: { vars: JSON.parse(LOCAL_VARS) }, persistState: { path: STATE_FOLDER ?? '' } }
  : {};

/** Its module for browsers; the one for Node is CommonJS, of which nothing can be left out. */
const yaml = path.resolve('node_modules/yaml/browser/index.js');

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
    resolve: { alias: { yaml } },
    build: {
      // For error reports; `npm run build` moves them to where they are not served.
      sourcemap: 'hidden',
      // Browsers with `light-dark()`, which src/styles needs.
      cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
      modulePreload: {
        // Documents name what islands import; only what checks a form is loaded by a script alone.
        resolveDependencies: (_file, scripts) =>
          scripts.filter((script) =>
            ['/schema-', '/text-', '/validation-rule-'].some((name) => script.includes(name)),
          ),
      },
    },
    // Sentry's switch that removes its SDK's debug messages.
    define: { __SENTRY_DEBUG__: 'false', __SENTRY_TRACING__: 'false' },
    plugins: [
      babel({ presets: [linguiTransformerBabelPreset()] }),
      lingui({ failOnCompileError: true }),
      tailwindcss(),
      leanWorker(),
      scriptsAfterStyles(),
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
              codeSplitting: {
                groups: [
                  // Browsers keep it across deploys: its name changes only with React.
                  { name: 'react', test: '/node_modules/react' },
                  // What most pages need; in many small files it would compress worse. Above the number
                  // of schemas that forms load later, which share zod.
                  { name: 'shared', minShareCount: 20 },
                ],
              },
            },
          },
        },
      },
      rsc: {
        // All at once: packages that the development server finds later are reloaded, and then there twice.
        optimizeDeps: { include: serverDependencies },
        build: {
          minify: true,
          rolldownOptions: {
            platform: 'neutral',
            treeshake: {
              // Their package.json does not say so: they only declare functions and constants.
              moduleSideEffects: [{ test: /\/node_modules\/@oslojs\//, sideEffects: false }],
              propertyReadSideEffects: false,
            },
            output: {
              // What every request runs is one chunk. What pages add stays separate, because the
              // scripts of islands are divided by it.
              codeSplitting: {
                groups: [
                  {
                    name: 'worker',
                    test: (file) =>
                      ['/waku.server.tsx', '/page-request.ts'].some((name) =>
                        file.endsWith(`/src${name}`),
                      ),
                  },
                ],
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
            output: {
              codeSplitting: {
                groups: [
                  {
                    name: 'islands',
                    test: (file) => file.includes('/src/') && file.endsWith('.tsx'),
                  },
                ],
              },
            },
          },
        },
      },
    },
  },
});
