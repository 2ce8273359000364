import path from 'node:path';
import { lingui, linguiTransformerBabelPreset } from '@lingui/vite-plugin';
import babel from '@rolldown/plugin-babel';
import { createServer } from 'vite';
import { languages } from './people.ts';

type Compose = (to: object, asked: object) => Promise<{ html: string }>;

/** `test/email/every-email.ts`, whose own types are those of the worker. */
type EveryEmail = { facts: unknown } & Record<
  'mails' | 'participantMails',
  Record<string, Compose>
>;

const root = path.join(import.meta.dirname, '../..');

/** What people type, by the names of its fields. */
const isTyped =
  /^(name|course|cohort|payer|place|welcome_note|payment_note|note|title|public_line|subject|text|word|moved_from)$/;

/** Adds a text to everything that is typed into these emails. */
function addTo(facts: unknown, text: string): void {
  for (const [key, value] of Object.entries(facts as Record<string, unknown>)) {
    if (typeof value === 'object' && value !== null) {
      addTo(value, text);
    } else if (typeof value === 'string' && isTyped.test(key)) {
      Object.assign(facts as object, { [key]: `${value} ${text}` });
    }
  }
}

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
    addTo(module.facts, typed);
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
