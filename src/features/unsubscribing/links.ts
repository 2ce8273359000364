import 'server-only';
import type { Context } from '#context.ts';
import { type SubscriptionKind, subscriptionKinds } from '#email/kinds.ts';
import { openLink, readLink, sealLink } from '#lib/signed-links.ts';
import { emailPaths } from '#paths.ts';

type Keyed = Pick<Context, 'config'>;

/** A subscription, and whose: the id of a person or, for news, of an account. */
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
