import { createHmac, hkdfSync } from 'node:crypto';

const openForMs = 60_000;

/**
 * The stamp of a public form that was opened a minute ago, as the app with this secret makes it: a
 * younger one looks like a program's.
 */
export function stampOfForm(appSecret: string): string {
  const madeAt = Date.now() - openForMs;
  const key = hkdfSync('sha256', appSecret, '', 'lectern: form times, version 1', 32);
  const mac = createHmac('sha256', Buffer.from(key)).update(`form:${madeAt}`).digest('hex');
  return `${madeAt}.${mac}`;
}
