import 'server-only';
import { keyFor, type Signing } from './keys.ts';

/** How far two machines' clocks may differ. Later times were recorded by a clock that was ahead. */
export const clockToleranceMs = 60_000;

const tokenBytes = 32;

/** Matches exactly the tokens that `createToken` makes. */
const tokenPattern = /^[0-9a-f]{64}$/;

/** 256 random bits as 64 lower-case hex digits, which Cloudflare's logs recognize and redact. */
export function createToken(): string {
  return crypto.getRandomValues(new Uint8Array(tokenBytes)).toHex();
}

const codeCount = 1_000_000;

/** Six random digits; all codes are equally likely. */
export function createCode(): string {
  const [random = 0] = crypto.getRandomValues(new Uint32Array(1));
  const fairEnd = 2 ** 32 - (2 ** 32 % codeCount);
  return random < fairEnd ? String(random % codeCount).padStart(6, '0') : createCode();
}

export function isToken(value: unknown): value is string {
  return typeof value === 'string' && tokenPattern.test(value);
}

/** SHA-256 as hex, the stored form of a token: enough for 256 random bits (ASVS 6.5.2). */
export async function hashToken(token: string): Promise<string> {
  return new Uint8Array(await digest(token)).toHex();
}

/** HMAC-SHA-256 as hex, by the key of a use. */
export async function sign(message: string, secret: string, use: Signing = 'signatures') {
  const data = new TextEncoder().encode(message);
  const key = await keyFor(use, secret);
  return new Uint8Array(await crypto.subtle.sign('HMAC', key, data)).toHex();
}

/** Compares in constant time, by hashes: `timingSafeEqual` throws on different lengths. */
export async function isSameSecret(left: string, right: string): Promise<boolean> {
  // The browser's types hide workerd's addition to WebCrypto; this module runs only in workerd.
  const subtle = crypto.subtle as SubtleCrypto & {
    timingSafeEqual(left: ArrayBuffer, right: ArrayBuffer): boolean;
  };
  return subtle.timingSafeEqual(...(await Promise.all([digest(left), digest(right)])));
}

function digest(text: string): Promise<ArrayBuffer> {
  return crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
}
