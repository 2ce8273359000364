import { env } from 'cloudflare:workers';
import { createHmac } from 'node:crypto';
import type { Bindings } from '#env.ts';
import { createClient } from './client.ts';

const webhookPath = '/api/webhooks/resend/';

type Delivery = {
  /** The `svix-id`; unique by default. */
  id?: string;
  /** The time of signing; now by default. */
  at?: Date;
  /** The signing secret. */
  secret?: string;
  /** Sent instead of the signed body. */
  raw?: BodyInit;
  /** Sent instead of the right headers; an empty string leaves one out. */
  headers?: Record<string, string>;
  bindings?: Partial<Bindings>;
};

/** Resend sends an event, from a network of its own: without cookies, origin or token. */
export async function deliver(event: unknown, delivery: Delivery = {}): Promise<Response> {
  const body = JSON.stringify(event);
  const { raw = body, headers = {}, bindings = {} } = delivery;
  return createClient().request('POST', webhookPath, undefined, {
    raw,
    bindings,
    headers: { Origin: '', Cookie: '', ...signedHeaders(body, delivery), ...headers },
  });
}

/** The three headers for a body. */
export function signedHeaders(body: string, { id, at, secret }: Delivery = {}) {
  const svixId = id ?? `msg_${crypto.randomUUID()}`;
  const seconds = Math.floor((at ?? new Date()).getTime() / 1000);
  return {
    'svix-id': svixId,
    'svix-timestamp': String(seconds),
    'svix-signature': signatureOf(`${svixId}.${seconds}.${body}`, secret),
  };
}

/**
 * Written from Svix’s documentation, not from the code that checks it: `v1,` and the base64 of an
 * HMAC-SHA256.
 */
function signatureOf(text: string, secret = env.RESEND_WEBHOOK_SECRET): string {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  return `v1,${createHmac('sha256', key).update(text).digest('base64')}`;
}

function mailEvent(type: string, to: string[], more: Record<string, unknown> = {}) {
  const created = new Date().toISOString();
  return {
    type,
    created_at: created,
    data: {
      created_at: created,
      email_id: crypto.randomUUID(),
      message_id: `<${crypto.randomUUID()}@lectern.test>`,
      from: 'Lectern <hello@lectern.test>',
      to,
      subject: 'Your Lectern login link',
      ...more,
    },
  };
}

export function bounced(to: string | string[], type = 'Permanent') {
  const bounce = { type, subType: 'General', message: 'The mailbox is not there' };
  return mailEvent('email.bounced', [to].flat(), { bounce });
}

export function complained(to: string) {
  return mailEvent('email.complained', [to]);
}

export function suppressed(to: string) {
  const about = { type: 'OnAccountSuppressionList', message: 'An earlier mail bounced' };
  return mailEvent('email.suppressed', [to], { suppressed: about });
}

export function delivered(to: string) {
  return mailEvent('email.delivered', [to]);
}
