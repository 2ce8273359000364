import { defineConfig } from '@lingui/cli';
import { formatter } from '@lingui/format-po';

const ofTheServer = ['src/api', 'src/email', 'src/middleware'];

/** Pages that hold the texts of a feature themselves, other than the page with its name. */
const pagesOf: Record<string, string[]> = {
  auth: ['login', 'signup', 'confirm', 'undo-address-change'],
  cohorts: ['cohorts/**/*', 'c/**/*'],
  courses: ['onboarding/course'],
};

/** Those that say something. */
const features = globSync('src/features/*')
  .map((folder) => path.basename(folder))
  .filter((feature) =>
    globSync(`src/features/${feature}/*.{ts,tsx}`).some((file) =>
      /@lingui\/\w+\/macro|i18n\/msg/.test(readFileSync(file, 'utf8')),
    ),
  );

function filesOf(feature: string): string[] {
  const pages = (pagesOf[feature] ?? [feature]).map((page) => `src/pages/${page}.tsx`);
  return [`src/features/${feature}`, ...pages];
}

/**
 * One catalog for each feature, named after its folder. Outside of the features, `server` has the
 * texts of emails and of the API, which no page sends to a browser; and `common`, the default, has
 * the rest.
 */
export default defineConfig({
  sourceLocale: 'en',
  locales: ['en', 'fr'],
  macro: { corePackage: ['@lingui/core/macro', '#i18n/msg.ts'] },
  format: formatter({ lineNumbers: false }),
  catalogs: [
    {
      path: 'locales/{locale}/common',
      include: ['src'],
      exclude: [...ofTheServer, ...features.flatMap(filesOf)].map((file) =>
        file.endsWith('.tsx') ? file : `${file}/**`,
      ),
    },
    { path: 'locales/{locale}/server', include: ofTheServer },
    ...features.sort().map((feature) => ({
      path: `locales/{locale}/${feature}`,
      include: filesOf(feature),
    })),
  ],
});
