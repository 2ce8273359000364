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

type MailSettings = { resendApiKey: string; resendBaseUrl: string; mailFrom: string };

const attemptTimeoutMs = 8_000;
const retryDelayMs = 500;

/** Mails by Resend. Too many requests (429), its own failures (5xx) and a broken connection are tried once more. */
export function createMailer({ resendApiKey, resendBaseUrl, mailFrom }: MailSettings): SendMail {
  return async function sendMail(message, idempotencyKey) {
    const resend = new Resend(resendApiKey, { baseUrl: resendBaseUrl });
    const send = () =>
      resend.emails.send(
        { from: mailFrom, ...message },
        { idempotencyKey, signal: AbortSignal.timeout(attemptTimeoutMs) },
      );

    let { data, error } = await send();
    if (error !== null && isPassing(error.statusCode)) {
      await new Promise((resolve) => setTimeout(resolve, retryDelayMs));
      ({ data, error } = await send());
    }
    // Without an id nothing was accepted, whatever the status said.
    if (typeof data?.id !== 'string') {
      // Resend's message may repeat the address, so only its name and status go on to the log.
      const cause = new Error(`Resend took no mail: ${error?.statusCode} ${error?.name}`);
      throw new AppError('mail_unavailable', { cause });
    }
  };
}

/** No status at all is a connection that broke or took too long. */
function isPassing(status: number | null | undefined): boolean {
  return status == null || status === 429 || status >= 500;
}
