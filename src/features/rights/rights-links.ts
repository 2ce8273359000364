import 'server-only';
import type { Context } from '#context.ts';
import { ask, type Query } from '#db/query.ts';
import { limitOn, refuseFull } from '#features/limits/limit-on.ts';
import { AppError } from '#lib/app-error.ts';
import { isGenuine, readLink, sealLink } from '#lib/signed-links.ts';
import { dayMs, minuteMs } from '#lib/time/calendar.ts';

/**
 * What a link is for that gives more than a person's page. data: what is kept, which the page asks
 * a fresh email for. address: proves another mailbox. remove: in emails to people who were added.
 */
type RightsPurpose = 'data' | 'address' | 'remove';

/** How long each works: what takes or erases everything, as long as reading an email takes. */
export const rightsLifetimeMs: Record<RightsPurpose, number> = {
  data: 10 * minuteMs,
  address: dayMs,
  remove: 30 * dayMs,
};

/** The address of the page of such a link. Not in paths.ts, because only emails have it. */
export async function rightsAddress(
  ctx: Pick<Context, 'config'>,
  purpose: RightsPurpose,
  link: { id: string; linkVersion: number; expiresAt: number },
): Promise<string> {
  return `${ctx.config.appOrigin}/p/${purpose}?token=${await sealLink(ctx, purpose, link)}`;
}

/** What a link is about, with the version of the links of its person. */
type Subject = { linkVersion: number };

/**
 * The subject of a link, for its page, which changes nothing.
 *
 * @param token unchecked
 * @returns null for a link that is not ours, is over, was replaced or is for something else
 */
export async function openRightsLink<T extends Subject>(
  ctx: Context,
  purpose: RightsPurpose,
  token: unknown,
  find: (id: string) => Query<T | null>,
): Promise<T | null> {
  const link = readRightsLink(ctx, purpose, token);
  const { subject } = await ask(ctx, { subject: find(link?.id ?? '') });
  return ifGenuine(ctx, purpose, link, subject);
}

/**
 * The subject of a link, for what its page does; counts the attempt.
 *
 * @throws AppError `rights_link_invalid`, `rate_limited`
 */
export async function requireRightsLink<T extends Subject>(
  ctx: Context,
  purpose: RightsPurpose,
  token: unknown,
  find: (id: string) => Query<T | null>,
): Promise<T> {
  const link = readRightsLink(ctx, purpose, token);
  const limit = await limitOn(ctx, [{ limit: 'participation_per_ip' }], 'allow');
  const { usage, subject } = await ask(ctx, {
    usage: limit.count(),
    subject: find(link?.id ?? ''),
  });
  refuseFull(ctx, usage.full);
  const genuine = await ifGenuine(ctx, purpose, link, subject);
  if (genuine === null) {
    ctx.observe.log('person_link_refused', { kind: purpose });
    throw new AppError('rights_link_invalid');
  }
  return genuine;
}

/** What a link says, before its signature is checked; null for none, and for one that is over. */
function readRightsLink({ now }: Context, purpose: RightsPurpose, token: unknown) {
  const link = readLink(purpose, token);
  return link !== null && link.expiresAt > now().getTime() ? link : null;
}

async function ifGenuine<T extends Subject>(
  ctx: Context,
  purpose: RightsPurpose,
  link: ReturnType<typeof readRightsLink>,
  subject: T | null,
): Promise<T | null> {
  if (link === null || subject === null) {
    return null;
  }
  const { linkVersion } = subject;
  return (await isGenuine(ctx, purpose, { ...link, linkVersion })) ? subject : null;
}
