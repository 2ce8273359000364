import 'server-only';

const tokenBytes = 32;

/** Matches every token that `createToken` makes, and nothing else. */
const tokenPattern = /^[0-9a-f]{64}$/;

/**
 * A new secret: 256 random bits as 64 lower-case hex characters, the form that Cloudflare's logs recognise and redact.
 */
export function createToken(): string {
  return crypto.getRandomValues(new Uint8Array(tokenBytes)).toHex();
}

export function isToken(value: unknown): value is string {
  return typeof value === 'string' && tokenPattern.test(value);
}

/** SHA-256 as hex: the only form of a token that is stored. Plain hashing is enough at 256 random bits (ASVS 6.5.2). */
export async function hashToken(token: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(token));
  return new Uint8Array(digest).toHex();
}

/** HMAC-SHA-256 as hex. */
export async function sign(message: string, secret: string): Promise<string> {
  const data = new TextEncoder().encode(message);
  return new Uint8Array(await crypto.subtle.sign('HMAC', await keyOf(secret), data)).toHex();
}

// The operator's secret as a key, made once for each isolate. Not a promise: one request must not wait for another's.
const keys = new Map<string, CryptoKey>();

async function keyOf(secret: string): Promise<CryptoKey> {
  const known = keys.get(secret);
  if (known !== undefined) {
    return known;
  }
  const data = new TextEncoder().encode(secret);
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', data, algorithm, false, ['sign']);
  keys.set(secret, key);
  return key;
}

/**
 * Compares in constant time. Both sides are hashed first, because workerd's `timingSafeEqual` throws on different lengths.
 */
export async function isSameSecret(left: string, right: string): Promise<boolean> {
  const [leftHash, rightHash] = await Promise.all([digest(left), digest(right)]);
  return workerdSubtle().timingSafeEqual(leftHash, rightHash);
}

function digest(text: string): Promise<ArrayBuffer> {
  return crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
}

/** The browser types hide what workerd adds to WebCrypto: this module runs in workerd alone. */
function workerdSubtle() {
  return crypto.subtle as SubtleCrypto & {
    timingSafeEqual(left: ArrayBuffer, right: ArrayBuffer): boolean;
  };
}
