import { createEmulator } from 'emulate';
import { afterEach, beforeAll, expect } from 'vitest';
import { typedAddress } from '#support/typed-texts.ts';
import { words } from '#support/words.ts';
import { stripeStandIn } from '../../scripts/local/stripe/stand-in.ts';
import { startWithRetry } from './free-port.ts';
import {
  type BuiltWorker,
  origin,
  signUpPerson,
  startBuiltWorker,
  type Visitor,
} from './worker.ts';

export const person = {
  email: 'canary.ada@example.com',
  firstName: 'CanaryAda',
  lastName: 'CanaryLovelace',
  courseName: 'CanaryCourse',
};

/** Public pages; all others in src/pages show user data. */
export const publicPages = words(`
  404 login signup terms privacy confirm undo-address-change c/[slug]
  p/[link] p/address p/certificate p/confirm p/data p/paid p/remove p/unsubscribe
  learn learn/[course] learn/[course]/[lesson] learn/[course]/all learn/[course]/search
  learn/[course]/attestation
`);

/** Can be paid online, on the operator's account at Stripe, which needs no connecting. */
export const payee = 'payee@example.com';

/** For all files of this process, and ended with it by Miniflare. */
let shared: Promise<BuiltWorker> | undefined;

async function startShared(): Promise<BuiltWorker> {
  const webhookSecret = 'whsec_of_the_built_tests';
  const service = stripeStandIn({ appOrigin: origin, webhookSecret });
  const stripe = await startWithRetry(() => createEmulator({ service, port: 0 }));
  return startBuiltWorker({
    // What operators set is shown like what people type.
    MAIL_FROM: `Lectern <us-${typedAddress}>`,
    STRIPE_BASE_URL: stripe.url,
    STRIPE_CHECKOUT_ORIGIN: stripe.url,
    STRIPE_OWN_ACCOUNT_FOR: payee,
  });
}

/**
 * Serves a test file's requests by a worker without any data. A test that leaves errors in the log
 * fails.
 *
 * @param take is called with it before the tests
 */
export function serveEmpty(take: (built: BuiltWorker) => Promise<void>): void {
  let built: BuiltWorker;

  beforeAll(async () => {
    shared ??= startShared();
    built = await shared;
    await built.forget();
    await take(built);
  });

  afterEach(() => {
    expect(takeErrors(built)).toBe('[]');
  });
}

/** The same with a signed-in user. */
export function serveSite(
  take: (site: { built: BuiltWorker; ada: Visitor }) => void | Promise<void>,
): void {
  serveEmpty(async (built) => take({ built, ada: await signUpPerson(built, person) }));
}

/** The words of a page. */
export async function read(visitor: Visitor, path: string): Promise<string> {
  return wordsOf((await visitor.get(path)).text);
}

/** The words of a document, each a space apart, without marks of direction. */
export function wordsOf(html: string): string {
  return html
    .replace(/<(script|style|template)[\s\S]*?<\/\1>/g, '')
    .replace(/<!-- -->|[\u2066-\u2069]/g, '')
    .replace(/<[^>]*>/g, ' ')
    .replaceAll('&#x27;', "'")
    .replace(/\s+/g, ' ');
}

/** The payload of a page, which Waku serves to our router. */
export function payloadOf(page: string): string {
  const [path, query = ''] = page.split('?');
  const name = path === '/' ? '/_root' : path;
  return `/RSC/R${name}.txt${query && `?${new URLSearchParams({ query })}`}`;
}

/** While a table, or one of its columns, has another name. */
export async function without<Result>(
  { sql }: BuiltWorker,
  table: string,
  work: () => Promise<Result>,
  column?: string,
): Promise<Result> {
  const [renamed, from, to] =
    column === undefined
      ? [`${table}_away`, '', `${table}_away`]
      : [table, `COLUMN ${column}`, `${column}_away`];
  await sql(`ALTER TABLE ${table} RENAME ${from} TO ${to}`);
  try {
    return await work();
  } finally {
    const back = column === undefined ? `TO ${table}` : `COLUMN ${to} TO ${column}`;
    await sql(`ALTER TABLE ${renamed} RENAME ${back}`);
  }
}

/** The errors in the worker's log since the last call, as JSON. */
export function takeErrors({ server }: BuiltWorker): string {
  const errors = server.getLogs().filter(({ level }) => level === 'error');
  server.clearLogs();
  return JSON.stringify(errors);
}

/** A document or payload without what differs between two answers. */
export function withoutNonce(text: string): string {
  return text.replaceAll(/nonce[="\\:]+[\w+/=-]+/g, 'nonce');
}
