import 'server-only';
import type { Context } from '#context.ts';
import type { OutboxKind } from '#db/values.ts';
import { isSameSecret, sign } from '#lib/tokens.ts';
import { emailPaths } from '#paths.ts';

type Signed = Pick<Context, 'config'>;

/**
 * What can be unsubscribed from: invitations, and reminders with messages, by the id of the person,
 * news by that of the account.
 */
const subscriptionKinds = ['invitation', 'reminder', 'news'] as const;
export type SubscriptionKind = (typeof subscriptionKinds)[number];

/** What an email that is not about one's own place belongs to. All others always come. */
export const subscriptionOf: Partial<Record<OutboxKind, SubscriptionKind>> = {
  invitation: 'invitation',
  invitation_reminder: 'invitation',
  starts_soon: 'reminder',
  meeting_reminder: 'reminder',
  message: 'reminder',
  roster_news: 'news',
};

/** A subscription, and whose: the id of a person or of an account. */
export type Subscription = { kind: SubscriptionKind; id: string };

const idPattern = /^[0-9a-f-]{36}$/;

/**
 * What names a subscription in addresses: `{kind}.{id}.{signature}`. It ends with the key alone, so
 * that the oldest email can be unsubscribed from, and opens nothing else.
 */
export async function subscriptionToken(ctx: Signed, subscription: Subscription): Promise<string> {
  const { kind, id } = subscription;
  return `${kind}.${id}.${await macOf(ctx, subscription)}`;
}

/** The subscription that a token names; null if the token is not ours. */
export async function subscriptionIn(ctx: Signed, token: unknown): Promise<Subscription | null> {
  const [kind = '', id = '', mac = '', ...rest] = typeof token === 'string' ? token.split('.') : [];
  const known = subscriptionKinds.find((one) => one === kind);
  if (known === undefined || rest.length > 0 || !idPattern.test(id)) {
    return null;
  }
  const subscription = { kind: known, id };
  return (await isSameSecret(mac, await macOf(ctx, subscription))) ? subscription : null;
}

function macOf({ config }: Signed, { kind, id }: Subscription) {
  return sign(`unsubscribe:${kind}:${id}`, config.appSecret, 'unsubscribe links, version 1');
}

/** Where an email can be unsubscribed from: by its reader on a page, and by mail programs. */
export async function waysOut(ctx: Signed, subscription: Subscription) {
  const { appOrigin } = ctx.config;
  const token = await subscriptionToken(ctx, subscription);
  return {
    page: emailPaths.unsubscribe(appOrigin, token),
    // As RFC 8058 has it.
    headers: {
      'List-Unsubscribe': `<${appOrigin}${emailPaths.oneClick}?u=${token}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    },
  };
}
