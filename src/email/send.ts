import 'server-only';
import type { RequestCount } from '#db/client.ts';
import { AppError } from '#lib/app-error.ts';

export type Message = {
  to: string;
  subject: string;
  html: string;
  text: string;
  /** Whose name the sender has, if it is not ours. */
  fromName?: string;
  replyTo?: string;
  /** Further ones, such as those by which mail programs unsubscribe. */
  headers?: Record<string, string>;
};

/** Resend answered but rejected this email, such as for an address format it does not accept. */
class RefusedMail extends Error {}

/** Whether Resend rejected this particular email, as opposed to being unavailable. */
export function isRefusedMail(error: unknown): boolean {
  return error instanceof AppError && error.cause instanceof RefusedMail;
}

/** Resend accepts no more emails for now. */
class ThrottledMail extends Error {}

/** Whether Resend asked to wait, which says nothing about this email. */
export function isThrottledMail(error: unknown): boolean {
  return error instanceof AppError && error.cause instanceof ThrottledMail;
}

/** What the provider made of one email of many; its id is unknown if it had it before. */
type BatchOutcome = { kind: 'sent'; providerId: string | null } | { kind: 'refused' };

export type Mailer = ReturnType<typeof createMailer>;

type MailSettings = { resendApiKey: string; resendBaseUrl: string; mailFrom: string };

const attemptTimeoutMs = 3_000;
/** The provider looks at each of them before it answers. */
const batchTimeoutMs = 20_000;
const maxAttempts = 3;
/** Waits between attempts; Resend may ask for less, but not for more: a user is waiting. */
const retryDelayMs = 500;
const maxRetryDelayMs = 2_000;

/** Sends email by Resend; retries twice after 429, 5xx or a broken connection. */
export function createMailer(settings: MailSettings, requests: RequestCount) {
  const { resendApiKey, resendBaseUrl, mailFrom } = settings;

  async function openResend() {
    // Loaded with the first email: a tenth of the worker, and no page needs it.
    const { Resend } = await import('resend');
    return new Resend(resendApiKey, { baseUrl: resendBaseUrl });
  }

  const withSender = ({ fromName, ...message }: Message) => ({
    from: fromName === undefined ? mailFrom : renamed(mailFrom, fromName),
    ...message,
  });

  return {
    /**
     * Sends one email. Within 24 hours, only one is sent with the same key, even if its text
     * differs by then.
     *
     * @returns the provider's id of the email; null if an earlier one with this key has gone
     * @throws AppError `mail_unavailable` when it was not accepted for delivery
     */
    sendMail: async (message: Message, idempotencyKey: string): Promise<string | null> => {
      const resend = await openResend();
      const { data, error } = await retried(requests, () =>
        resend.emails.send(withSender(message), {
          idempotencyKey,
          signal: AbortSignal.timeout(attemptTimeoutMs),
        }),
      );
      if (error?.name === 'invalid_idempotent_request') {
        return null;
      }
      // Without an id nothing was accepted, even with a status of success.
      if (typeof data?.id !== 'string') {
        throw notAccepted(error);
      }
      return data.id;
    },
    /**
     * Sends up to 100 emails by one request, and says of each in turn what became of it. The same
     * key sends only once within 24 hours, even if the emails differ by then: the first have gone.
     *
     * @throws AppError `mail_unavailable` when none was accepted for delivery
     */
    sendBatch: async (
      messages: readonly Message[],
      idempotencyKey: string,
    ): Promise<BatchOutcome[]> => {
      const resend = await openResend();
      const { data, error } = await retried(requests, () =>
        resend.batch.send(messages.map(withSender), {
          idempotencyKey,
          batchValidation: 'permissive',
          signal: AbortSignal.timeout(batchTimeoutMs),
        }),
      );
      if (error?.name === 'invalid_idempotent_request') {
        return messages.map(() => ({ kind: 'sent', providerId: null }));
      }
      const refused = new Set((data?.errors ?? []).map(({ index }) => index));
      const accepted = Array.isArray(data?.data) ? data.data.map(({ id }) => id) : [];
      if (data === null || accepted.length + refused.size !== messages.length) {
        throw notAccepted(error);
      }
      return messages.map((_, index) =>
        refused.has(index)
          ? { kind: 'refused' }
          : { kind: 'sent', providerId: accepted.shift() ?? null },
      );
    },
  };
}

type ResendError = { name: string; statusCode: number | null } | null;
type ResendAnswer = { error: ResendError; headers: Record<string, string> | null };

async function retried<Answer extends ResendAnswer>(
  requests: RequestCount,
  send: () => Promise<Answer>,
): Promise<Answer> {
  requests.made += 1;
  let answer = await send();
  for (let attempt = 1; attempt < maxAttempts && isPassing(answer.error); attempt += 1) {
    const askedMs = Number(answer.headers?.['retry-after']) * 1_000 || retryDelayMs;
    await new Promise((resolve) => setTimeout(resolve, Math.min(askedMs, maxRetryDelayMs)));
    requests.made += 1;
    answer = await send();
  }
  return answer;
}

/** Resend's message may repeat the address, so only its name and status are logged. */
function notAccepted(error: ResendError): AppError {
  const words = `Resend took no mail: ${error?.statusCode} ${error?.name}`;
  const isRefusal = error?.statusCode === 400 || error?.statusCode === 422;
  const isThrottled = error?.statusCode === 429 || error?.name === 'concurrent_idempotent_requests';
  const Cause = isRefusal ? RefusedMail : isThrottled ? ThrottledMail : Error;
  return new AppError('mail_unavailable', { cause: new Cause(words) });
}

/** Our address under another name: in quotes, because names have commas and periods. */
function renamed(mailFrom: string, name: string): string {
  const address = mailFrom.slice(mailFrom.lastIndexOf('<'));
  return `"${name.replace(/["\\<>\p{Cc}]/gu, ' ')}" ${address}`;
}

/** No status means a broken or slow connection, or a failure that Resend's client cannot parse. */
function isPassing(error: ResendError): boolean {
  const status = error?.statusCode ?? null;
  return error !== null && (status === null || status === 429 || status >= 500);
}
