import { isSafeLink } from '#features/documents/nodes.ts';

const host = /^[\p{L}\p{N}-]+(\.[\p{L}\p{N}-]+)+(:\d+)?([/?#]|$)/u;
const mailbox = /^[^\s@/:]+@[^\s@/]+\.[^\s@/]+$/;

/** The link that a typed or pasted address means; null if readers can't be sent there. */
export function linkTo(address: string): string | null {
  const typed = address.trim().replaceAll(' ', '%20');
  const full = mailbox.test(typed)
    ? `mailto:${typed}`
    : host.test(typed)
      ? `https://${typed}`
      : typed.replace(/^http:\/\//i, 'https://');
  return isSafeLink(full) ? full : null;
}
