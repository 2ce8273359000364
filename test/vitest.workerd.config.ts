import path from 'node:path';
import { cloudflareTest } from '@cloudflare/vitest-pool-workers';
import { lingui, linguiTransformerBabelPreset } from '@lingui/vite-plugin';
import babel from '@rolldown/plugin-babel';
import { defineConfig } from 'vitest/config';
import { fuzzSeed, hasEveryCase } from './every-case.ts';
import { schemaOfMigrations } from './migrated-schema.ts';
import { readModuleCache } from './module-cache.ts';
import { suiteFiles } from './suites.ts';

const bundledPackages = [
  '@cfworker/json-schema',
  '@hono/zod-validator',
  '@lingui/core',
  '@zip.js/zip.js/lib/zip-core-custom.js',
  'arctic',
  'client-zip',
  'drizzle-orm',
  'drizzle-orm/batch',
  'drizzle-orm/d1',
  'drizzle-orm/sqlite-core',
  'fast-check',
  'hono',
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
  'ical.js',
  'mdast-util-from-markdown',
  'mdast-util-to-markdown',
  'micromark-extension-gfm',
  'papaparse',
  'resend',
  'stripe',
  'temporal-polyfill/implementation',
  'timezones-ical-library',
  'toucan-js',
  'yaml',
  'zod',
  'zod/mini',
  'zod/v4/core',
];

/** Pure functions, verbs and API, inside workerd with a real D1: one database per test file. */
export default defineConfig({
  root: import.meta.dirname,
  cacheDir: path.join(import.meta.dirname, '../node_modules/.vite'),
  plugins: [
    readModuleCache(),
    babel({ presets: [linguiTransformerBabelPreset()] }),
    lingui({ failOnCompileError: true }),
    cloudflareTest({
      main: './support/empty-worker.ts',
      wrangler: { configPath: '../wrangler.toml' },
      remoteBindings: false,
      miniflare: {
        bindings: {
          APP_ORIGIN: 'https://lectern.test',
          APP_SECRET: 'a-secret-for-tests-of-32-characters',
          RESEND_API_KEY: 're_test',
          // `whsec_` and the base64 of 24 bytes.
          RESEND_WEBHOOK_SECRET: `whsec_${btoa('a-secret-of-the-webhook!')}`,
          RESEND_BASE_URL: 'https://resend.test',
          MAIL_FROM: 'Lectern <hello@lectern.test>',
          OPERATOR_NAME: 'Lectern Operators',
          GOOGLE_CLIENT_ID: 'lectern-test',
          GOOGLE_CLIENT_SECRET: 'a-google-secret-for-tests',
          GOOGLE_ISSUER: 'https://google.test',
          GOOGLE_AUTHORIZATION_URL: 'https://google.test/auth',
          GOOGLE_TOKEN_URL: 'https://google.test/token',
          STRIPE_SECRET_KEY: 'sk_test_a_key_for_tests',
          STRIPE_WEBHOOK_SECRET: 'whsec_of_the_own_account_1 whsec_of_connected_accounts',
          STRIPE_BASE_URL: 'https://stripe.test',
          STRIPE_CHECKOUT_ORIGIN: 'https://checkout.stripe.test',
          FUZZ_REQUESTS: process.env['FUZZ_REQUESTS'] ?? '100',
          FUZZ_SEED: String(fuzzSeed),
          STORM_ROUNDS: process.env['STORM_ROUNDS'] ?? '1',
          EVERY_CASE: hasEveryCase ? '1' : '',
          // Triggers of one event run in the order in which they were made.
          TEST_SCHEMA: schemaOfMigrations('rowid'),
        },
      },
    }),
  ],
  // A guard of Waku's build without content.
  resolve: { alias: { 'server-only': path.join(import.meta.dirname, 'support/server-only.ts') } },
  test: {
    name: 'workerd',
    // A test that passes only on a retry is named at the end, and counts as failed at night.
    retry: 1,
    include: ['**/*.test.ts'],
    exclude: [...suiteFiles.built, ...suiteFiles.budgets, ...suiteFiles.dom],
    // In one module each: workerd would load 270 files of them, which takes two seconds.
    experimental: { fsModuleCache: true },
    deps: { optimizer: { ssr: { enabled: true, include: bundledPackages } } },
    setupFiles: ['support/new-database.ts', 'support/watch-output.ts'],
    // Files share two workers and their loaded modules; new-database.ts keeps their data apart.
    isolate: false,
    // A busy machine is not a failure, and at night sizes are larger.
    testTimeout: hasEveryCase ? 600_000 : 30_000,
    hookTimeout: 30_000,
    maxWorkers: 2,
    sequence: { groupOrder: 1 },
  },
});
