import 'server-only';

const maxReadableLength = 40;

/** Without letters and digits that look alike; 32, so that a byte chooses one evenly. */
const alphabet = 'abcdefghijkmnpqrstuvwxyz23456789';
const randomLength = 6;

/**
 * The public address of a cohort or a course: its name, as far as ASCII can write it, and random
 * characters, such as `writing-in-spring-k7m2qx`. It can't be guessed, but it is no secret.
 */
export function createSlug(name: string): string {
  const readable = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, maxReadableLength)
    .replace(/^-|-$/g, '');
  const bytes = [...crypto.getRandomValues(new Uint8Array(randomLength))];
  const random = bytes.map((byte) => alphabet[byte % alphabet.length]).join('');
  return [readable, random].filter(Boolean).join('-');
}
