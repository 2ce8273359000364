import { defineConfig } from '@lingui/cli';
import { formatter } from '@lingui/format-po';

/** One catalog per namespace of the product: what is not claimed by another is `common`, the default. */
export default defineConfig({
  sourceLocale: 'en',
  locales: ['en', 'fr'],
  format: formatter({ lineNumbers: false }),
  catalogs: [
    {
      path: 'locales/{locale}/common',
      include: ['src'],
      exclude: ['src/features/**', 'src/i18n/validation.ts'],
    },
    { path: 'locales/{locale}/auth', include: ['src/features/auth', 'src/features/accounts'] },
    { path: 'locales/{locale}/courses', include: ['src/features/courses'] },
    { path: 'locales/{locale}/validation', include: ['src/i18n/validation.ts'] },
  ],
});
