import { defineConfig } from '@lingui/cli';
import { formatter } from '@lingui/format-po';

const documentation = 'src/**/schema-docs.ts';

/** One catalog for each language; `documentation` has what only the schema document says. */
export default defineConfig({
  sourceLocale: 'en',
  locales: ['en', 'fr'],
  macro: { corePackage: ['@lingui/core/macro', '#i18n/msg.ts'] },
  format: formatter({ lineNumbers: false }),
  catalogs: [
    { path: 'locales/{locale}/messages', include: ['src'], exclude: [documentation] },
    { path: 'locales/{locale}/documentation', include: [documentation] },
  ],
});
