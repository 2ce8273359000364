import path from 'node:path';
import { lingui, linguiTransformerBabelPreset } from '@lingui/vite-plugin';
import babel from '@rolldown/plugin-babel';
import { createServer } from 'vite';
import { changeTyped } from '../support/typed-texts.ts';
import { languages } from './people.ts';

type Compose = (to: object, asked: object) => Promise<{ html: string }>;

/** `test/email/every-email.ts`, whose own types are those of the worker. */
type EveryEmail = { facts: unknown } & Record<
  'mails' | 'participantMails',
  Record<string, Compose>
>;

const root = path.join(import.meta.dirname, '../..');

/**
 * Every email in both languages, from the sources, because a cohort would have to go through
 * everything that can happen to one.
 *
 * @param typed what is added to everything that people type
 */
export async function composeEmails(typed: string) {
  const server = await createServer({
    root,
    configFile: false,
    appType: 'custom',
    logLevel: 'error',
    server: { middlewareMode: true, ws: false, watch: null },
    optimizeDeps: { noDiscovery: true },
    plugins: [babel({ presets: [linguiTransformerBabelPreset()] }), lingui()],
    // A guard of Waku's build without content.
    resolve: { alias: { 'server-only': path.join(root, 'test/support/server-only.ts') } },
  });
  try {
    const file = '/test/email/every-email.ts';
    const module = (await server.ssrLoadModule(file)) as EveryEmail;
    changeTyped(module.facts, (text) => `${text} ${typed}`);
    const asked = { at: new Date(), browser: 'Firefox (Windows)' };
    return await Promise.all(
      Object.entries({ ...module.mails, ...module.participantMails }).flatMap(([name, compose]) =>
        languages.map(async (language) => {
          const to = { email: 'ada@example.com', firstName: 'Ada', language };
          return { name: `${name} (${language})`, html: (await compose(to, asked)).html };
        }),
      ),
    );
  } finally {
    await server.close();
  }
}
