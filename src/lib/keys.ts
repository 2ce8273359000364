import 'server-only';

const hmac = {
  algorithm: { name: 'HMAC', hash: 'SHA-256', length: 256 },
  usages: ['sign'],
} as const;

/** Each use has its own key, so that nothing made for one is valid for another. */
const uses = {
  signatures: hmac,
  // The links of participants, with a version to replace these keys alone.
  'person links, version 1': hmac,
  'request links, version 1': hmac,
  'interest links, version 1': hmac,
  'form times, version 1': hmac,
  'rights links, version 1': hmac,
  'blocked addresses, version 1': hmac,
  'unsubscribe links, version 1': hmac,
  'calendar links, version 1': hmac,
  'learner devices, version 1': hmac,
  'learner codes, version 1': hmac,
  'file addresses, version 1': hmac,
  'checkout links, version 1': hmac,
  'sealed text': {
    algorithm: { name: 'AES-GCM', length: 256 },
    usages: ['encrypt', 'decrypt'],
  },
} as const satisfies Record<string, { algorithm: object; usages: readonly KeyUsage[] }>;

// Cached per isolate. Not promises, because a request must not wait for a promise of another.
const keys = new Map<string, CryptoKey>();

/** A use whose key signs. */
export type Signing = Exclude<keyof typeof uses, 'sealed text'>;

/** The key for one use, derived from the operator's secret by HKDF. */
export async function keyFor(use: keyof typeof uses, secret: string): Promise<CryptoKey> {
  const name = `${use}:${secret}`;
  const cached = keys.get(name);
  if (cached !== undefined) {
    return cached;
  }
  const encoder = new TextEncoder();
  const { algorithm, usages } = uses[use];
  const material = encoder.encode(secret);
  const info = encoder.encode(`lectern: ${use}`);
  const key = await crypto.subtle.deriveKey(
    { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info },
    await crypto.subtle.importKey('raw', material, 'HKDF', false, ['deriveKey']),
    algorithm,
    false,
    [...usages],
  );
  keys.set(name, key);
  return key;
}
