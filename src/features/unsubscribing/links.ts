import 'server-only';
import type { Context } from '#context.ts';
import type { OutboxKind } from '#db/values.ts';
import { openLink, readLink, sealLink } from '#lib/signed-links.ts';
import { emailPaths } from '#paths.ts';

type Keyed = Pick<Context, 'config'>;

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

/** The subscription that a token names; null if the token is not ours. */
export async function subscriptionIn(ctx: Keyed, token: unknown): Promise<Subscription | null> {
  const kind = subscriptionKinds.find((one) => readLink(one, token) !== null);
  const link = kind && (await openLink(ctx, kind, token));
  return kind && link ? { kind, id: link.id } : null;
}

/**
 * Where an email can be unsubscribed from: by its reader on a page, and by mail programs. The link
 * has no version, so that the oldest email can be unsubscribed from.
 */
export async function waysOut(ctx: Keyed, { kind, id }: Subscription) {
  const { appOrigin } = ctx.config;
  const token = await sealLink(ctx, kind, { id });
  return {
    page: emailPaths.unsubscribe(appOrigin, token),
    // As RFC 8058 has it.
    headers: {
      'List-Unsubscribe': `<${appOrigin}${emailPaths.oneClick}?u=${token}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    },
  };
}
