import { env } from 'cloudflare:workers';

const secrets = new Set<string>();
const addresses = new Set<string>();

/** Reset when a test file starts: earlier ones used another database. */
export function forgetSecrets(): void {
  secrets.clear();
  addresses.clear();
}

/** Every secret of this file that grants access. Short ones would be found everywhere. */
export function sawSecret(...texts: string[]): void {
  for (const text of texts.filter(({ length }) => length >= 16)) {
    secrets.add(text);
  }
}

export function sawAddress(text: string): void {
  addresses.add(text.toLowerCase());
}

/** The secrets and addresses seen so far that a text contains. */
export function leaksIn(text: string, { addressesToo = true } = {}): string[] {
  const ours = [
    env.APP_SECRET,
    env.GOOGLE_CLIENT_SECRET,
    env.RESEND_API_KEY,
    env.RESEND_WEBHOOK_SECRET,
    env.STRIPE_SECRET_KEY,
    ...env.STRIPE_WEBHOOK_SECRET.split(' '),
  ];
  const leaks = [...ours, ...secrets].filter((secret) => text.includes(secret));
  const lowerCase = text.toLowerCase();
  return addressesToo
    ? [...leaks, ...[...addresses].filter((address) => lowerCase.includes(address))]
    : leaks;
}
