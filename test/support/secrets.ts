import { env } from 'cloudflare:workers';

const secrets = new Set<string>();
const addresses = new Set<string>();

/** A file of tests begins: what others have seen is in another database. */
export function forgetSecrets(): void {
  secrets.clear();
  addresses.clear();
}

/** Every secret of this file: what opens a door, in whose hands soever. Short ones would be found everywhere. */
export function sawSecret(...texts: string[]): void {
  for (const text of texts.filter(({ length }) => length >= 16)) {
    secrets.add(text);
  }
}

export function sawAddress(text: string): void {
  addresses.add(text.toLowerCase());
}

/** What of all that was seen so far stands in a text. */
export function leaksIn(text: string, { addressesToo = true } = {}): string[] {
  const ours = [
    env.APP_SECRET,
    env.GOOGLE_CLIENT_SECRET,
    env.RESEND_API_KEY,
    env.RESEND_WEBHOOK_SECRET,
  ];
  const leaks = [...ours, ...secrets].filter((secret) => text.includes(secret));
  const lowerCase = text.toLowerCase();
  return addressesToo
    ? [...leaks, ...[...addresses].filter((address) => lowerCase.includes(address))]
    : leaks;
}
