import { defineConfig } from '@lingui/cli';
import { formatter } from '@lingui/format-po';

export default defineConfig({
  sourceLocale: 'en',
  locales: ['en', 'fr'],
  macro: { corePackage: ['@lingui/core/macro', '#i18n/msg.ts'] },
  format: formatter({ lineNumbers: false }),
  catalogs: [{ path: 'locales/{locale}/messages', include: ['src'] }],
});
