import 'server-only';
import * as z from 'zod/mini';
import { AppError } from '#lib/app-error.ts';
import { openStripe, type StripeContext } from './open-stripe.ts';

/** Real ones are far shorter; a long one could list thousands of signatures to verify. */
const maxHeaderLength = 1_000;
/** How far the clocks may differ, in both directions. */
const toleranceSeconds = 5 * 60;

const object = z.record(z.string(), z.unknown());

/** The part of an event that we use; of v2, events name only what they are about. */
const Event = z.object({
  type: z.string(),
  account: z.nullish(z.string()),
  data: z.nullish(z.object({ object: z.optional(object) })),
  related_object: z.nullish(z.object({ id: z.string() })),
});

/** What has happened to what, in whose account; a hint to ask Stripe about it, and no more. */
export type StripeEvent = {
  type: string;
  account: string | null;
  object: Record<string, unknown>;
};

type SignedEvent = {
  /** The unparsed body, because the signature is over its bytes. */
  body: string;
  /** The header `stripe-signature`; empty if missing. */
  signature: string;
};

/**
 * Verifies the signature and the time of a webhook of Stripe, and parses its event.
 *
 * @throws AppError `signature_invalid`; `malformed_body` for an unknown but signed format
 */
export async function readEvent(
  ctx: StripeContext,
  { body, signature }: SignedEvent,
  now: Date,
): Promise<StripeEvent> {
  if (!(await isSigned(ctx, body, signature, now))) {
    throw new AppError('signature_invalid');
  }
  const parsed = Event.safeParse(parse(body));
  if (!parsed.success) {
    throw new AppError('malformed_body');
  }
  const { type, account = null, data, related_object: related } = parsed.data;
  return { type, account: account ?? null, object: data?.object ?? { ...related } };
}

async function isSigned(ctx: StripeContext, body: string, signature: string, now: Date) {
  // One time, because the library takes the last.
  const [, seconds] =
    signature.length > maxHeaderLength
      ? []
      : (/^t=(\d{1,12})(?:,v\d=[0-9a-f]+)+$/.exec(signature) ?? []);
  // The library looks only at how old it is, not whether it comes from the future.
  if (!(Math.abs(now.getTime() / 1000 - Number(seconds)) <= toleranceSeconds)) {
    return false;
  }
  const { webhooks } = await openStripe(ctx);
  // The operator's own account has another secret than those of instructors.
  const checks = (ctx.config.stripe?.webhookSecrets ?? []).map((secret) =>
    webhooks.signature
      ?.verifyHeaderAsync(body, signature, secret, Number.MAX_SAFE_INTEGER)
      .catch(() => false),
  );
  return (await Promise.all(checks)).includes(true);
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}
