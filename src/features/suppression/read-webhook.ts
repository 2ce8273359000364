import 'server-only';
import * as z from 'zod/mini';
import type { SuppressionReason } from '#db/values.ts';
import { AppError } from '#lib/app-error.ts';
import { parseEmail } from '#lib/email-address.ts';

type SignedRequest = {
  /** The unparsed body, because the signature is over its bytes. */
  body: string;
  /** The headers `svix-id`, `svix-timestamp` and `svix-signature`; empty if missing. */
  id: string;
  timestamp: string;
  signature: string;
};

/** Real ones are far shorter; a long one could list thousands of signatures to verify. */
const maxHeaderLength = 1_000;

type WebhookSettings = { resendApiKey: string; resendWebhookSecret: string; mailFrom: string };

/** The addresses to suppress, in canonical form, and why. */
export type SuppressionEvent = NonNullable<Awaited<ReturnType<typeof readWebhook>>>;

/** The part that all events have; of events that we do not use, nothing else is checked. */
const Envelope = z.object({ type: z.string() });

const MailEvent = z.object({
  data: z.object({
    from: z.string(),
    to: z.array(z.string()),
    email_id: z.optional(z.string()),
    bounce: z.optional(z.object({ type: z.string() })),
  }),
});

const reasons = new Map<string, SuppressionReason>([
  ['email.bounced', 'bounced'],
  // On Resend's suppression list since an earlier email, so Resend did not send this one.
  ['email.suppressed', 'bounced'],
  ['email.complained', 'complained'],
]);

/**
 * Verifies the signature and timestamp of a Resend webhook, and parses its event.
 *
 * @returns null for an event that does not suppress an address
 * @throws AppError `signature_invalid`; `malformed_body` for an unknown but signed format
 */
export async function readWebhook(settings: WebhookSettings, request: SignedRequest) {
  const content = await verified(settings, request);
  const envelope = Envelope.safeParse(content);
  if (!envelope.success) {
    throw new AppError('malformed_body');
  }
  const { type } = envelope.data;
  const reason = reasons.get(type);
  if (reason === undefined) {
    return null;
  }
  const event = MailEvent.safeParse(content);
  if (!event.success) {
    throw new AppError('malformed_body');
  }
  const { from, to, bounce, email_id: emailId = '' } = event.data.data;
  // The webhook covers all emails of the Resend account. Ours have one sender and one recipient.
  if (senderOf(from) !== senderOf(settings.mailFrom) || to.length !== 1) {
    return null;
  }
  // Resend itself retries temporary bounces.
  if (type === 'email.bounced' && bounce?.type !== 'Permanent') {
    return null;
  }
  const addresses = to.flatMap((address) => parseEmail(address)?.canonical ?? []);
  // Resend's id of the email that it is about; empty if the event has none.
  return { reason, addresses: [...new Set(addresses)], emailId };
}

/** The address in `Name <address>`, or the whole text. */
function senderOf(from: string): string {
  return (/<([^<>]*)>\s*$/.exec(from)?.[1] ?? from).trim().toLowerCase();
}

async function verified(settings: WebhookSettings, { body, ...headers }: SignedRequest) {
  if (Object.values(headers).some(({ length }) => length > maxHeaderLength)) {
    throw new AppError('signature_invalid');
  }
  // Loaded on the first webhook, as in email/send.ts.
  const { Resend } = await import('resend');
  try {
    return new Resend(settings.resendApiKey).webhooks.verify({
      payload: body,
      headers,
      webhookSecret: settings.resendWebhookSecret,
    });
  } catch (cause) {
    // It is parsed only after the signature was verified.
    throw new AppError(cause instanceof SyntaxError ? 'malformed_body' : 'signature_invalid', {
      cause,
    });
  }
}
