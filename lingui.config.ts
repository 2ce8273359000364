import { defineConfig } from '@lingui/cli';
import { formatter } from '@lingui/format-po';

const ofTheServer = ['src/api', 'src/email', 'src/middleware'];

/**
 * One catalog for each namespace of the product: what is not claimed by another is `common`, the default. Besides, what the worker
 * alone says, in mails and to clients of the API: no page carries it to a browser.
 */
export default defineConfig({
  sourceLocale: 'en',
  locales: ['en', 'fr'],
  format: formatter({ lineNumbers: false }),
  catalogs: [
    {
      path: 'locales/{locale}/common',
      include: ['src'],
      exclude: [
        ...ofTheServer.map((folder) => `${folder}/**`),
        'src/features/{accounts,auth,courses}/**',
        'src/i18n/validation.ts',
      ],
    },
    { path: 'locales/{locale}/server', include: ofTheServer },
    { path: 'locales/{locale}/auth', include: ['src/features/auth', 'src/features/accounts'] },
    { path: 'locales/{locale}/courses', include: ['src/features/courses'] },
    { path: 'locales/{locale}/validation', include: ['src/i18n/validation.ts'] },
  ],
});
