import 'server-only';
import { Resend } from 'resend';
import { AppError } from '#lib/app-error.ts';

/** One mail to one person, in both forms. */
export type Message = { to: string; subject: string; html: string; text: string };

/**
 * Sends one mail. With the same key a message is sent once, however often this is called (for 24 hours).
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
/** Between attempts, unless Resend says how long to wait; never longer, because somebody waits for the answer. */
const retryDelayMs = 500;
const maxRetryDelayMs = 2_000;

/** Mails by Resend. Too many requests (429), its own failures (5xx) and a broken connection are tried again, twice. */
export function createMailer({ resendApiKey, resendBaseUrl, mailFrom }: MailSettings): SendMail {
  return async function sendMail(message, idempotencyKey) {
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
    // Without an id nothing was accepted, whatever the status said.
    if (typeof data?.id !== 'string') {
      // Resend's message may repeat the address, so only its name and status go on to the log.
      const words = `Resend took no mail: ${error?.statusCode} ${error?.name}`;
      const isRefusal = error?.statusCode === 400 || error?.statusCode === 422;
      const cause = isRefusal ? new RefusedMail(words) : new Error(words);
      throw new AppError('mail_unavailable', { cause });
    }
  };
}

/** No status at all is a connection that broke or took too long, or a failure in words that Resend's client does not know. */
function isPassing(error: { statusCode?: number | null } | null): boolean {
  const status = error?.statusCode ?? null;
  return error !== null && (status === null || status === 429 || status >= 500);
}
