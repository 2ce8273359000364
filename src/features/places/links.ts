import 'server-only';
import type { Context } from '#context.ts';
import { isSameSecret, sign } from '#lib/tokens.ts';
import { serverPaths } from '#paths.ts';

/**
 * The links of participants. Nothing of them is stored: each is an id and its signature, so that a
 * link can stand in every later email. See docs/decisions/0046-places-in-one-statement.md.
 */

type Signed = Pick<Context, 'config'>;

/** How long a request to enroll can be confirmed. */
export const requestLifetimeMs = 24 * 60 * 60 * 1000;

const idPattern = /^[0-9a-f-]{36}$/;
const macPattern = /^[0-9a-f]{64}$/;

/** The part of a person's link that opens their page. It ends when `linkVersion` is raised. */
export async function personLink(
  ctx: Signed,
  person: { id: string; linkVersion: number },
): Promise<string> {
  return `${person.id}.${await personMac(ctx, person)}`;
}

/** The address of a person's page. */
export async function personAddress(
  ctx: Signed,
  person: { id: string; linkVersion: number },
): Promise<string> {
  return serverPaths.participation(ctx.config.appOrigin, await personLink(ctx, person));
}

/** The parts of what may be a person's link; null if it cannot be one. */
export function partsOfLink(link: unknown): { id: string; mac: string } | null {
  const [id = '', mac = '', ...rest] = typeof link === 'string' ? link.split('.') : [];
  return rest.length === 0 && idPattern.test(id) && macPattern.test(mac) ? { id, mac } : null;
}

/** Whether a signature is that of the person's present link. */
export async function isSignedFor(
  ctx: Signed,
  person: { id: string; linkVersion: number },
  mac: string,
): Promise<boolean> {
  return isSameSecret(mac, await personMac(ctx, person));
}

function personMac({ config }: Signed, { id, linkVersion }: { id: string; linkVersion: number }) {
  return sign(`person:${id}:${linkVersion}`, config.appSecret, 'person links, version 1');
}

/** What confirms a request to enroll, until it expires. */
export async function requestToken(
  ctx: Signed,
  { id, expiresAt }: { id: string; expiresAt: number },
): Promise<string> {
  return `${id}.${expiresAt}.${await requestMac(ctx, id, expiresAt)}`;
}

/** The address of the page that confirms a request. */
export async function requestAddress(
  ctx: Signed,
  request: { id: string; expiresAt: number },
): Promise<string> {
  return serverPaths.confirmRequest(ctx.config.appOrigin, await requestToken(ctx, request));
}

/** The request that a token confirms, and until when; null if it is not ours, or has expired. */
export async function requestOf(
  ctx: Pick<Context, 'config' | 'now'>,
  token: unknown,
): Promise<{ id: string; expiresAt: number } | null> {
  const parts = partsOfToken(token);
  if (parts === null) {
    return null;
  }
  const { id, expiresAt, mac } = parts;
  const isOurs = await isSameSecret(mac, await requestMac(ctx, id, expiresAt));
  return isOurs && expiresAt > ctx.now().getTime() ? { id, expiresAt } : null;
}

function partsOfToken(token: unknown): { id: string; expiresAt: number; mac: string } | null {
  const [id = '', expiry = '', mac = '', ...rest] =
    typeof token === 'string' ? token.split('.') : [];
  return rest.length === 0 && idPattern.test(id) && /^\d{1,15}$/.test(expiry)
    ? { id, expiresAt: Number(expiry), mac }
    : null;
}

function requestMac({ config }: Signed, id: string, expiresAt: number) {
  return sign(`request:${id}:${expiresAt}`, config.appSecret, 'request links, version 1');
}

/** The address of the page that confirms that someone waits for a course, and forgets it. */
export async function interestAddress(
  ctx: Signed,
  { id, expiresAt }: { id: string; expiresAt: number },
): Promise<string> {
  const token = `${id}.${expiresAt}.${await interestMac(ctx, id, expiresAt)}`;
  return serverPaths.confirmRequest(ctx.config.appOrigin, token);
}

/** The id of the interest of a token, and whether it can no longer confirm; null if not ours. */
export async function interestOf(
  ctx: Pick<Context, 'config' | 'now'>,
  token: unknown,
): Promise<{ id: string; isExpired: boolean } | null> {
  const parts = partsOfToken(token);
  if (parts === null) {
    return null;
  }
  const { id, expiresAt, mac } = parts;
  const isOurs = await isSameSecret(mac, await interestMac(ctx, id, expiresAt));
  return isOurs ? { id, isExpired: expiresAt <= ctx.now().getTime() } : null;
}

function interestMac({ config }: Signed, id: string, expiresAt: number) {
  return sign(`interest:${id}:${expiresAt}`, config.appSecret, 'interest links, version 1');
}

/**
 * What a link is for that gives more than a person's page. data: what is kept, which the page asks
 * a fresh email for. address: proves another mailbox. remove: in emails to people who were added.
 */
export type RightsPurpose = 'data' | 'address' | 'remove';

/** How long each works: what takes or erases everything, as long as reading an email takes. */
export const rightsLifetimeMs: Record<RightsPurpose, number> = {
  data: 10 * 60 * 1000,
  address: 24 * 60 * 60 * 1000,
  remove: 30 * 24 * 60 * 60 * 1000,
};

/** An id, and what ends the link beside its time: the version of the person's other links. */
type RightsLink = { id: string; linkVersion: number; expiresAt: number };

/** What opens a page of `purpose`, until it expires. */
export async function rightsToken(
  ctx: Signed,
  purpose: RightsPurpose,
  link: RightsLink,
): Promise<string> {
  return `${link.id}.${link.expiresAt}.${await rightsMac(ctx, purpose, link)}`;
}

/** The address of that page. */
export async function rightsAddress(
  ctx: Signed,
  purpose: RightsPurpose,
  link: RightsLink,
): Promise<string> {
  const token = await rightsToken(ctx, purpose, link);
  // Not in paths.ts, which browsers load: only emails have it.
  return `${ctx.config.appOrigin}/p/${purpose}?token=${token}`;
}

/** The parts of what may be such a token, before its signature is checked; null if it is over. */
export function partsOfRights(
  { now }: Pick<Context, 'now'>,
  token: unknown,
): { id: string; expiresAt: number; mac: string } | null {
  const [id = '', expiry = '', mac = '', ...rest] =
    typeof token === 'string' ? token.split('.') : [];
  const isOne =
    rest.length === 0 && idPattern.test(id) && /^\d{1,15}$/.test(expiry) && macPattern.test(mac);
  return isOne && Number(expiry) > now().getTime() ? { id, expiresAt: Number(expiry), mac } : null;
}

/** Whether a signature is that of a link. */
export async function isSignedRights(
  ctx: Signed,
  purpose: RightsPurpose,
  { mac, ...link }: RightsLink & { mac: string },
): Promise<boolean> {
  return isSameSecret(mac, await rightsMac(ctx, purpose, link));
}

function rightsMac({ config }: Signed, purpose: RightsPurpose, link: RightsLink) {
  const { id, linkVersion, expiresAt } = link;
  const message = `${purpose}:${id}:${linkVersion}:${expiresAt}`;
  return sign(message, config.appSecret, 'rights links, version 1');
}

/** Faster than people read and type. */
const shortestFormMs = 2_000;
const longestFormMs = 24 * 60 * 60 * 1000;

/** When a form was made, signed, so that only who has seen it can send it. */
export async function formStamp(ctx: Pick<Context, 'config' | 'now'>): Promise<string> {
  const time = ctx.now().getTime();
  return `${time}.${await formMac(ctx, time)}`;
}

/** Whether a form was made so long ago that a person can have filled it in, and not longer. */
export async function judgeStamp(
  ctx: Pick<Context, 'config' | 'now'>,
  stamp: string,
): Promise<'good' | 'too quick' | 'stale'> {
  const [time = '', mac = ''] = stamp.split('.');
  const age = ctx.now().getTime() - Number(time);
  const isOurs =
    /^\d{1,15}$/.test(time) && (await isSameSecret(mac, await formMac(ctx, Number(time))));
  if (!isOurs || age > longestFormMs) {
    return 'stale';
  }
  return age < shortestFormMs ? 'too quick' : 'good';
}

function formMac({ config }: Signed, time: number) {
  return sign(`form:${time}`, config.appSecret, 'form times, version 1');
}
