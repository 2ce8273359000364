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
 * The far side of the network: stands in for Resend, keeps what it accepted, and fails as told. Any other address is an
 * error. Undone after each test by `vi.restoreAllMocks`.
 *
 * @param answers what it says to the first calls; after these it accepts
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
      // What hangs ends when whoever asked gives up.
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
    // Whether or not the test looks into the mail: what it opens a door with stays in the mailbox.
    sawSecret(/\?token=(\w+)/.exec(mail.text)?.[1] ?? '');
    return Response.json({ id: crypto.randomUUID() });
  });
  return { accepted, attempts };
}

/** The mails to an address, in any spelling, oldest first. */
export function mailsTo(address: string, mails: SentMail[]): SentMail[] {
  return mails.filter(({ to }) => to.toLowerCase() === address.toLowerCase());
}

/** The token in the link of a mail. */
export function tokenIn(mail: SentMail | undefined): string {
  const [, token] = /\?token=(\w+)/.exec(mail?.text ?? '') ?? [];
  if (token === undefined) {
    throw new Error('There is no link in this mail.');
  }
  return token;
}
