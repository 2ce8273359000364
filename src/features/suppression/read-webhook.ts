import 'server-only';
import * as z from 'zod/mini';
import type { SuppressionReason } from '#db/values.ts';
import { AppError } from '#lib/app-error.ts';
import { parseEmail } from '#lib/email-address.ts';

/** A request that says it comes from Resend. */
type SignedRequest = {
  /** As it came, to the byte: the signature is over the text and not over what it means. */
  body: string;
  /** The headers `svix-id`, `svix-timestamp` and `svix-signature`; empty where one is missing. */
  id: string;
  timestamp: string;
  signature: string;
};

/** Each is far shorter; a long one could name thousands of signatures, all of them compared. */
const maxHeaderLength = 1_000;

type WebhookSettings = { resendApiKey: string; resendWebhookSecret: string; mailFrom: string };

/** Which addresses get no more mail, in canonical form, and why. */
export type Verdict = { reason: SuppressionReason; addresses: string[] };

/** Every event has it; of events that we do not use, nothing else is looked at. */
const Envelope = z.object({ type: z.string() });

const MailEvent = z.object({
  data: z.object({
    from: z.string(),
    to: z.array(z.string()),
    bounce: z.optional(z.object({ type: z.string() })),
  }),
});

const reasons = new Map<string, SuppressionReason>([
  ['email.bounced', 'bounced'],
  // On the operator's list at Resend since an earlier mail, so that this one was not even tried.
  ['email.suppressed', 'bounced'],
  ['email.complained', 'complained'],
]);

/**
 * Reads what Resend tells us, after its signature and the time in it have been checked.
 *
 * @returns null for an event that says nothing of an address
 * @throws AppError `signature_invalid`; `malformed_body` when Resend has signed what we do not understand
 */
export async function readWebhook(
  settings: WebhookSettings,
  request: SignedRequest,
): Promise<Verdict | null> {
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
  const { from, to, bounce } = event.data.data;
  // The webhook tells of all mails of the account at Resend. Ours come from one sender and go to one person each.
  if (senderOf(from) !== senderOf(settings.mailFrom) || to.length !== 1) {
    return null;
  }
  // What has bounced for now is tried again by Resend itself.
  if (type === 'email.bounced' && bounce?.type !== 'Permanent') {
    return null;
  }
  const addresses = to.flatMap((address) => parseEmail(address)?.canonical ?? []);
  return { reason, addresses: [...new Set(addresses)] };
}

/** The address in `Name <address>`, or alone. */
function senderOf(from: string): string {
  return (/<([^<>]*)>\s*$/.exec(from)?.[1] ?? from).trim().toLowerCase();
}

async function verified(
  settings: WebhookSettings,
  { body, ...headers }: SignedRequest,
): Promise<unknown> {
  if (Object.values(headers).some(({ length }) => length > maxHeaderLength)) {
    throw new AppError('signature_invalid');
  }
  // Loaded with the first webhook, as in email/send.ts.
  const { Resend } = await import('resend');
  try {
    return new Resend(settings.resendApiKey).webhooks.verify({
      payload: body,
      headers,
      webhookSecret: settings.resendWebhookSecret,
    });
  } catch (cause) {
    // Only what is rightly signed is parsed.
    throw new AppError(cause instanceof SyntaxError ? 'malformed_body' : 'signature_invalid', {
      cause,
    });
  }
}
