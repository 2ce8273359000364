import 'server-only';

/** Each use has its own key, so that nothing made for one is valid for another. */
const uses = {
  signatures: {
    algorithm: { name: 'HMAC', hash: 'SHA-256', length: 256 },
    usages: ['sign'],
  },
  'sealed text': {
    algorithm: { name: 'AES-GCM', length: 256 },
    usages: ['encrypt', 'decrypt'],
  },
} as const satisfies Record<string, { algorithm: object; usages: readonly KeyUsage[] }>;

// Cached per isolate. Not promises, because a request must not wait for a promise of another.
const keys = new Map<string, CryptoKey>();

/** The key for one use, derived from the operator's secret by HKDF. */
export async function keyFor(use: keyof typeof uses, secret: string): Promise<CryptoKey> {
  const name = `${use}:${secret}`;
  const known = keys.get(name);
  if (known !== undefined) {
    return known;
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
