import 'server-only';
import { AppError } from '#lib/app-error.ts';

export type Message = { to: string; subject: string; html: string; text: string };

/**
 * Sends one email. Within 24 hours, a message with the same key is sent only once.
 *
 * @throws AppError `mail_unavailable` when it was not accepted for delivery
 */
export type SendMail = (message: Message, idempotencyKey: string) => Promise<void>;

/** Resend answered but rejected this email, such as for an address format it does not accept. */
class RefusedMail extends Error {}

/** Whether Resend rejected this particular email, as opposed to being unavailable. */
export function isRefusedMail(error: unknown): boolean {
  return error instanceof AppError && error.cause instanceof RefusedMail;
}

type MailSettings = { resendApiKey: string; resendBaseUrl: string; mailFrom: string };

const attemptTimeoutMs = 3_000;
const maxAttempts = 3;
/** Waits between attempts; Resend may ask for less, but not for more: a user is waiting. */
const retryDelayMs = 500;
const maxRetryDelayMs = 2_000;

/** Sends email by Resend; retries twice after 429, 5xx or a broken connection. */
export function createMailer({ resendApiKey, resendBaseUrl, mailFrom }: MailSettings): SendMail {
  return async function sendMail(message, idempotencyKey) {
    // Loaded with the first email: a tenth of the worker, and no page needs it.
    const { Resend } = await import('resend');
    const resend = new Resend(resendApiKey, { baseUrl: resendBaseUrl });
    const send = () =>
      resend.emails.send(
        { from: mailFrom, ...message },
        { idempotencyKey, signal: AbortSignal.timeout(attemptTimeoutMs) },
      );

    let { data, error, headers } = await send();
    for (let attempt = 1; attempt < maxAttempts && isPassing(error); attempt += 1) {
      const askedMs = Number(headers?.['retry-after']) * 1_000 || retryDelayMs;
      await new Promise((resolve) => setTimeout(resolve, Math.min(askedMs, maxRetryDelayMs)));
      ({ data, error, headers } = await send());
    }
    // Without an id nothing was accepted, even with a status of success.
    if (typeof data?.id !== 'string') {
      // Resend's message may repeat the address, so only its name and status are logged.
      const words = `Resend took no mail: ${error?.statusCode} ${error?.name}`;
      const isRefusal = error?.statusCode === 400 || error?.statusCode === 422;
      const cause = isRefusal ? new RefusedMail(words) : new Error(words);
      throw new AppError('mail_unavailable', { cause });
    }
  };
}

/** No status means a broken or slow connection, or a failure that Resend's client cannot parse. */
function isPassing(error: { statusCode?: number | null } | null): boolean {
  const status = error?.statusCode ?? null;
  return error !== null && (status === null || status === 429 || status >= 500);
}
