/** An address in the form that mail is sent to, and in the one form that decides whether two are the same. */
export type EmailAddress = { address: string; canonical: string };

/** Longest address that mail servers must accept (RFC 5321, 4.5.3.1.3). */
const maxAddressLength = 254;
/** As typed, with room for letters written in several parts: long text is slow to normalize. */
const maxTypedLength = 1_000;

// What the HTML standard allows in <input type=email> left of the @ sign, without the dots that no mail server takes.
const localPartPattern = /^(?!\.)(?!.*\.\.)[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}(?<!\.)$/i;
const domainPattern =
  /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
// What nobody sees, and what a URL parser drops without a word.
const invisiblePattern = /[\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}]/u;

/**
 * Reads an address in any spelling. NFKC and trimming come before checking, because look-alikes of the @ sign turn into real
 * ones by it. The domain is taken in its ASCII form (`exämple.com` is `xn--exmple-cua.com`), so that mail goes to what was
 * compared. `+tags` and dots are kept; the canonical form is lower case.
 *
 * @returns null when the text is not one deliverable address
 */
export function parseEmail(typed: string): EmailAddress | null {
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

/** `anna@example.com` becomes `a•••@example.com`: enough to recognise one's own, too little to learn another's. */
export function maskEmail(address: string): string {
  const at = address.lastIndexOf('@');
  return `${address.slice(0, 1)}•••${address.slice(at)}`;
}

function toAsciiDomain(domain: string): string | null {
  // URL would cut these off or decode them instead of refusing them.
  if (/[\s/\\?#:%[\]]/.test(domain) || invisiblePattern.test(domain)) {
    return null;
  }
  const parsed = URL.parse(`http://${domain}`);
  const isName = parsed !== null && domainPattern.test(parsed.hostname);
  // A last label of digits only is an IP address, not a domain.
  return isName && !/\.\d+$/.test(parsed.hostname) ? parsed.hostname : null;
}
