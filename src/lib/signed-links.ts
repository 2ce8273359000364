import 'server-only';
import type { Signing } from './keys.ts';
import { isSameSecret, sign } from './tokens.ts';

/** What a link says. `linkVersion` is signed and not in its text: a higher one ends it. */
type Parts = {
  id: string;
  linkVersion: number;
  expiresAt: number;
  madeAt: number;
  /** Days since 1970, in UTC. */
  day: number;
};

type LinkFormat = {
  key: Signing;
  /** What the signed message begins with. */
  name: string;
  /** What the text begins with, where its address does not say what it is for. */
  prefix?: string;
  parts: readonly (keyof Parts)[];
};

const rights = {
  key: 'rights links, version 1',
  parts: ['id', 'linkVersion', 'expiresAt'],
} as const;
const unsubscribe = { key: 'unsubscribe links, version 1', parts: ['id'] } as const;
const feed = { key: 'calendar links, version 1', parts: ['id', 'linkVersion'] } as const;

/**
 * The links in emails and calendars, and the stamps of forms. None is stored, so that it can stand
 * in every later email: see decision 46. Those in old emails have to work, so formats never change.
 */
const formats = {
  /** A person's page. */
  person: { key: 'person links, version 1', name: 'person', parts: ['id', 'linkVersion'] },
  /** Confirms a request to enroll. */
  request: { key: 'request links, version 1', name: 'request', parts: ['id', 'expiresAt'] },
  /** Confirms that someone waits for enrollment to open, and forgets them. */
  interest: { key: 'interest links, version 1', name: 'interest', parts: ['id', 'expiresAt'] },
  /** Takes or erases what is kept of a person; they ask for the email with it. */
  data: { ...rights, name: 'data' },
  /** Proves another mailbox of a person, by the id of the email. */
  address: { ...rights, name: 'address' },
  /** Erases someone who was added, from the email that says so. */
  remove: { ...rights, name: 'remove' },
  /** End emails to a person; news to an account. */
  invitation: { ...unsubscribe, name: 'unsubscribe:invitation', prefix: 'invitation.' },
  reminder: { ...unsubscribe, name: 'unsubscribe:reminder', prefix: 'reminder.' },
  news: { ...unsubscribe, name: 'unsubscribe:news', prefix: 'news.' },
  /** The calendar of a person, and of an instructor, whose version is that of the feed. */
  personFeed: { ...feed, name: 'calendar:p', prefix: 'p-' },
  ownerFeed: { ...feed, name: 'calendar:i', prefix: 'i-' },
  /** A payment, in the address to which Stripe leads back. */
  checkout: { key: 'checkout links, version 1', name: 'checkout', parts: ['id'] },
  /** In a cookie, by which a browser is remembered as a learner's: not a link. */
  device: {
    key: 'learner devices, version 1',
    name: 'device',
    parts: ['id', 'linkVersion', 'day'],
  },
  /** Shows that who sends a form has seen it. */
  form: { key: 'form times, version 1', name: 'form', parts: ['madeAt'] },
} as const satisfies Record<string, LinkFormat>;

type Kind = keyof typeof formats;
type PartsOf<K extends Kind> = Pick<Parts, (typeof formats)[K]['parts'][number]>;

/** A link whose signature is not checked yet. */
type Unchecked<K extends Kind> = Omit<PartsOf<K>, 'linkVersion'> & { mac: string };

/** The kinds whose text says all that is signed. */
type Complete = Exclude<
  Kind,
  'person' | 'data' | 'address' | 'remove' | 'personFeed' | 'ownerFeed' | 'device'
>;

type Keyed = { config: { appSecret: string } };

const patterns = {
  id: /^[0-9a-f-]{36}$/,
  expiresAt: /^\d{1,15}$/,
  madeAt: /^\d{1,15}$/,
  day: /^\d{1,6}$/,
  mac: /^[0-9a-f]{64}$/,
};

/** The text of a link. */
export async function sealLink<K extends Kind>(ctx: Keyed, kind: K, parts: PartsOf<K>) {
  const { prefix = '' }: LinkFormat = formats[kind];
  const values: Partial<Parts> = parts;
  const texts = shownParts(kind).map((part) => values[part]);
  return prefix + [...texts, await macOf(ctx, kind, parts)].join('.');
}

/** What a text says, so that its version can be looked up; null if it cannot be such a link. */
export function readLink<K extends Kind>(kind: K, text: unknown): Unchecked<K> | null {
  const { prefix = '' }: LinkFormat = formats[kind];
  const names = [...shownParts(kind), 'mac'] as const;
  const texts =
    typeof text === 'string' && text.startsWith(prefix) ? text.slice(prefix.length).split('.') : [];
  if (
    texts.length !== names.length ||
    !names.every((name, at) => patterns[name].test(texts[at] ?? ''))
  ) {
    return null;
  }
  const parts = names.map((name, at) => [
    name,
    name === 'id' || name === 'mac' ? texts[at] : Number(texts[at]),
  ]);
  // They are the parts of the kind.
  return Object.fromEntries(parts) as Unchecked<K>;
}

/** Whether a link that was read is ours, and was made for this version. */
export async function isGenuine<K extends Kind>(
  ctx: Keyed,
  kind: K,
  link: PartsOf<K> & { mac: string },
): Promise<boolean> {
  return isSameSecret(link.mac, await macOf(ctx, kind, link));
}

/** What a link says; null if it is not ours. Whether it has expired is for the caller to ask. */
export async function openLink<K extends Complete>(ctx: Keyed, kind: K, text: unknown) {
  const link = readLink(kind, text);
  // Nothing is missing: these kinds have no version.
  const isOurs = link !== null && (await isGenuine(ctx, kind, link as typeof link & PartsOf<K>));
  return isOurs ? link : null;
}

function shownParts(kind: Kind) {
  return formats[kind].parts.filter((part) => part !== 'linkVersion');
}

function macOf<K extends Kind>({ config }: Keyed, kind: K, parts: PartsOf<K>): Promise<string> {
  const { key, name, parts: names }: LinkFormat = formats[kind];
  const values: Partial<Parts> = parts;
  const message = [name, ...names.map((part) => values[part])].join(':');
  return sign(message, config.appSecret, key);
}
