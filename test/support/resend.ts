import { vi } from 'vitest';
import { sawSecret } from './secrets.ts';

export type SentMail = {
  to: string;
  from: string;
  subject: string;
  html: string;
  text: string;
  idempotencyKey: string | null;
};

type Answer = { status: number; body?: unknown } | 'silent' | 'unreachable';

/**
 * Stands in for Resend, keeps accepted emails, and fails on demand. Any other URL is an error.
 * Undone after each test by `vi.restoreAllMocks`.
 *
 * @param answers to the first calls; later ones succeed
 */
export function fakeResend(...answers: Answer[]) {
  const accepted: SentMail[] = [];
  const attempts: SentMail[] = [];
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    const request = new Request(input, init);
    if (request.url !== 'https://resend.test/emails') {
      throw new Error(`No request may go to ${request.url}`);
    }
    const mail: SentMail = {
      ...(await request.json<Omit<SentMail, 'idempotencyKey'>>()),
      idempotencyKey: request.headers.get('Idempotency-Key'),
    };
    attempts.push(mail);
    const answer = answers.shift();
    if (answer === 'unreachable') {
      throw new TypeError('Network connection lost.');
    }
    if (answer === 'silent') {
      // A hanging request ends when the caller aborts it.
      return new Promise((_, reject) => {
        const { signal } = init ?? {};
        signal?.addEventListener('abort', () => reject(signal.reason));
      });
    }
    if (answer !== undefined) {
      return Response.json(
        answer.body !== undefined
          ? answer.body
          : { statusCode: answer.status, name: 'an_error', message: `No mail to ${mail.to}` },
        { status: answer.status },
      );
    }
    accepted.push(mail);
    // Even if the test never reads the email, its link must not leak.
    sawSecret(/\?token=(\w+)/.exec(mail.text)?.[1] ?? '');
    return Response.json({ id: crypto.randomUUID() });
  });
  return { accepted, attempts };
}

/** The emails to an address, in any spelling, oldest first. */
export function mailsTo(address: string, mails: SentMail[]): SentMail[] {
  return mails.filter(({ to }) => to.toLowerCase() === address.toLowerCase());
}

/** The six digits of an email's code. */
export function codeIn(mail: SentMail | undefined): string {
  const [, first, last] = /: (\d{3}) (\d{3})$/m.exec(mail?.text ?? '') ?? [];
  if (first === undefined) {
    throw new Error('There is no code in this email.');
  }
  return `${first}${last}`;
}

/** The token in an email's link. */
export function tokenIn(mail: SentMail | undefined): string {
  const [, token] = /\?token=(\w+)/.exec(mail?.text ?? '') ?? [];
  if (token === undefined) {
    throw new Error('There is no link in this email.');
  }
  return token;
}
