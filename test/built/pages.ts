import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { type BuiltWorker, signUpPerson, startBuiltWorker, type Visitor } from './worker.ts';

export const person = {
  email: 'canary.ada@example.com',
  firstName: 'CanaryAda',
  lastName: 'CanaryLovelace',
  courseName: 'CanaryCourse',
};

/** Public pages; all others in src/pages show user data. */
export const publicPages = [
  '404',
  'c/[slug]',
  'confirm',
  'learn',
  'learn/[course]',
  'learn/[course]/[lesson]',
  'learn/[course]/all',
  'learn/[course]/search',
  'learn/[course]/attestation',
  'login',
  'p/[link]',
  'p/address',
  'p/certificate',
  'p/confirm',
  'p/data',
  'p/paid',
  'p/remove',
  'p/unsubscribe',
  'privacy',
  'signup',
  'terms',
  'undo-address-change',
];

/** A running worker, and a signed-in user of it. */
type Site = { built: BuiltWorker; ada: Visitor };

/**
 * Serves a test file's requests by a worker of its own, in which Ada is signed in. A test that
 * leaves errors in the log fails.
 *
 * @param take is called with both before the tests
 */
export function serveSite(take: (site: Site) => void | Promise<void>): void {
  let built: BuiltWorker;

  beforeAll(async () => {
    // One client network makes the requests of many people.
    built = await startBuiltWorker({ LIMITS: { mails_per_ip: [] } });
    await take({ built, ada: await signUpPerson(built, person) });
  });

  afterAll(async () => {
    await built.close();
  });

  afterEach(() => {
    expect(takeErrors(built)).toBe('[]');
  });
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
