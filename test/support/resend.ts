import { fakeService, noConnection, type Signal, silence } from './far-side.ts';
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
type Batch = { idempotencyKey: string | null; mails: SentMail[] };

/**
 * Stands in for Resend, keeps accepted emails, and fails on demand.
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

  async function take(request: Request, signal: Signal) {
    const isBatch = request.url.endsWith('/batch');
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
      return noConnection();
    }
    if (answer === 'silent') {
      return silence(signal);
    }
    if (answer !== undefined) {
      const { status } = answer;
      const error = { statusCode: status, name: 'an_error', message: `No mail to ${sent[0]?.to}` };
      return Response.json(answer.body ?? error, { status });
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
  }
  fakeService(({ href }) => /^https:\/\/resend\.test\/emails(\/batch)?$/.test(href), take);
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
