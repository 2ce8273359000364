/** An address as emails are sent to it, and in the canonical form for comparison. */
export type ParsedEmail = { address: string; canonical: string };

/** Longest address that mail servers must accept (RFC 5321, 4.5.3.1.3). */
const maxAddressLength = 254;
/** The longest input, with room for decomposed letters: long text is slow to normalize. */
const maxTypedLength = 1_000;

// The characters that HTML allows left of the @ of an address, minus dots that servers refuse.
const localPartPattern = /^(?!\.)(?!.*\.\.)[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}(?<!\.)$/i;
const domainPattern =
  /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
// Invisible characters, and those that a URL parser drops silently.
const invisiblePattern = /[\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}]/u;

/**
 * Parses an address in any spelling. NFKC and trimming come before the check, because they turn
 * look-alikes of the @ sign into real ones. The domain is converted to ASCII (`exämple.com` to
 * `xn--exmple-cua.com`), so that emails go to the address that was compared. `+tags` and dots are
 * kept; the canonical form is lower case.
 *
 * @returns null if the text is not exactly one deliverable address
 */
export function parseEmail(typed: string): ParsedEmail | null {
  if (typed.length > maxTypedLength) {
    return null;
  }
  const [localPart, domain, ...rest] = typed.normalize('NFKC').trim().split('@');
  if (localPart === undefined || domain === undefined || rest.length > 0) {
    return null;
  }
  const asciiDomain = toAsciiDomain(domain);
  if (asciiDomain === null || !localPartPattern.test(localPart)) {
    return null;
  }
  const address = `${localPart}@${asciiDomain}`;
  return address.length <= maxAddressLength ? { address, canonical: address.toLowerCase() } : null;
}

/** `anna@example.com` becomes `a•••@example.com`: enough to recognize, too little to reveal. */
export function maskEmail(address: string): string {
  const at = address.lastIndexOf('@');
  return `${address.slice(0, 1)}•••${address.slice(at)}`;
}

function toAsciiDomain(domain: string): string | null {
  // URL would cut these off or decode them instead of failing.
  if (/[\s/\\?#:%[\]]/.test(domain) || invisiblePattern.test(domain)) {
    return null;
  }
  const parsed = URL.parse(`http://${domain}`);
  const isName = parsed !== null && domainPattern.test(parsed.hostname);
  // A last label of digits is an IP address, not a domain.
  return isName && !/\.\d+$/.test(parsed.hostname) ? parsed.hostname : null;
}

/** The address of a link that writes to someone. Its @ is literal, as RFC 6068 wants it. */
export function mailtoOf(address: string): `mailto:${string}` {
  return `mailto:${encodeURIComponent(address).replaceAll('%40', '@')}`;
}
