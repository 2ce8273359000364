import { vi } from 'vitest';
import { sawSecret } from './secrets.ts';

export type SentMail = {
  to: string;
  from: string;
  subject: string;
  html: string;
  text: string;
  idempotencyKey: string | null;
  reply_to?: string;
  headers?: Record<string, string>;
};

type Answer = { status: number; body?: unknown } | 'silent' | 'unreachable';

/** One request: one email, or many. */
export type Batch = { idempotencyKey: string | null; mails: SentMail[] };

/**
 * Stands in for Resend, keeps accepted emails, and fails on demand. Any other URL is an error.
 * Undone after each test by `vi.restoreAllMocks`.
 *
 * It takes many emails by one request as Resend does: the same request again sends nothing, another
 * one with its key is refused, and of emails to `@refused.test` it says that it did not take them.
 *
 * @param answers to the first calls; later ones succeed
 */
export function fakeResend(...answers: Answer[]) {
  const accepted: SentMail[] = [];
  const attempts: SentMail[] = [];
  const batches: Batch[] = [];
  const known = new Map<string, { body: string; response: object }>();
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    const request = new Request(input, init);
    const isBatch = request.url === 'https://resend.test/emails/batch';
    if (request.url !== 'https://resend.test/emails' && !isBatch) {
      throw new Error(`No request may go to ${request.url}`);
    }
    const idempotencyKey = request.headers.get('Idempotency-Key');
    const body = await request.text();
    const sent: Omit<SentMail, 'idempotencyKey'>[] = [JSON.parse(body)].flat();
    const mails = sent.map((mail) => ({ ...mail, idempotencyKey }));
    attempts.push(...mails);
    if (isBatch) {
      batches.push({ idempotencyKey, mails });
    }
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
          : { statusCode: answer.status, name: 'an_error', message: `No mail to ${sent[0]?.to}` },
        { status: answer.status },
      );
    }
    const before = isBatch ? known.get(idempotencyKey ?? '') : undefined;
    if (before !== undefined) {
      return before.body === body ? Response.json(before.response) : conflict();
    }
    const taken = mails.filter(({ to }) => !to.endsWith('@refused.test'));
    accepted.push(...taken);
    for (const mail of taken) {
      // Even if the test never reads the email, its link must not leak.
      sawSecret(/\?token=([\w.-]+)/.exec(mail.text)?.[1] ?? '');
      sawSecret(linkIn(mail)?.split('.')[1] ?? '');
    }
    if (!isBatch) {
      return Response.json({ id: crypto.randomUUID() });
    }
    if (mails.length > 100 || request.headers.get('x-batch-validation') !== 'permissive') {
      throw new Error('This is not how Resend takes many emails');
    }
    const response = {
      data: taken.map(() => ({ id: crypto.randomUUID() })),
      errors: mails.flatMap((mail, index) =>
        taken.includes(mail) ? [] : [{ index, message: 'Invalid `to` field' }],
      ),
    };
    known.set(idempotencyKey ?? '', { body, response });
    return Response.json(response);
  });
  return { accepted, attempts, batches };
}

function conflict(): Response {
  const error = { statusCode: 409, name: 'invalid_idempotent_request', message: 'Another body' };
  return Response.json(error, { status: 409 });
}

/** The emails to an address, in any spelling, oldest first. */
export function mailsTo(address: string, mails: SentMail[]): SentMail[] {
  return mails.filter(({ to }) => to.toLowerCase() === address.toLowerCase());
}

/** What comes after /p/ in the link of an email to a participant. */
export function linkIn(mail: SentMail | undefined): string | undefined {
  return /\/p\/([0-9a-f-]{36}\.[0-9a-f]{64})$/m.exec(mail?.text ?? '')?.[1];
}

/** The token that confirms a request to enroll. */
export function requestTokenIn(mail: SentMail | undefined): string | undefined {
  return /\/p\/confirm\?token=([\w.-]+)$/m.exec(mail?.text ?? '')?.[1];
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
