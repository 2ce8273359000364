import 'server-only';
import { keyFor } from './keys.ts';

const nonceBytes = 12;

/** Encrypts and authenticates a text for a cookie, with AES-GCM, as hex. */
export async function sealText(text: string, secret: string): Promise<string> {
  const iv = crypto.getRandomValues(new Uint8Array(nonceBytes));
  const key = await keyFor('sealed text', secret);
  const data = new TextEncoder().encode(text);
  const sealed = await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, key, data);
  return iv.toHex() + new Uint8Array(sealed).toHex();
}

/** @returns null for a text that `sealText` did not make with this secret */
export async function openSealedText(sealed: string, secret: string): Promise<string | null> {
  try {
    const bytes = Uint8Array.fromHex(sealed);
    const iv = bytes.subarray(0, nonceBytes);
    const data = bytes.subarray(nonceBytes);
    const key = await keyFor('sealed text', secret);
    return new TextDecoder().decode(
      await crypto.subtle.decrypt({ name: 'AES-GCM', iv }, key, data),
    );
  } catch {
    return null;
  }
}
