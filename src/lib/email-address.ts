/** Longest address that mail servers must accept (RFC 5321, 4.5.3.1.3). */
const maxAddressLength = 254;

// What the HTML standard allows in <input type=email>, left of the @ sign.
const localPartPattern = /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}$/;
const domainPattern =
  /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/**
 * The one form of an address that decides whether two are the same: NFKC, trimmed, lower case, the domain in its ASCII
 * form (`exämple.com` becomes `xn--exmple-cua.com`). Normalising comes before checking, because look-alikes of the @ sign
 * turn into real ones by it. `+tags` and dots are kept.
 *
 * @returns null when the text is not one deliverable address
 */
export function canonicalEmail(typed: string): string | null {
  const address = tidyEmail(typed).toLowerCase();
  const [localPart, domain, ...rest] = address.split('@');
  if (localPart === undefined || domain === undefined || rest.length > 0) {
    return null;
  }
  const asciiDomain = toAsciiDomain(domain);
  if (asciiDomain === null || !localPartPattern.test(localPart)) {
    return null;
  }
  const canonical = `${localPart}@${asciiDomain}`;
  return canonical.length <= maxAddressLength ? canonical : null;
}

/** The address as its owner wrote it, without the accidents of typing: full-width letters and outer blanks. */
export function tidyEmail(typed: string): string {
  return typed.normalize('NFKC').trim();
}

/** `anna@example.com` becomes `a•••@example.com`: enough to recognise one's own, too little to learn another's. */
export function maskEmail(address: string): string {
  const at = address.lastIndexOf('@');
  return `${address.slice(0, 1)}•••${address.slice(at)}`;
}

function toAsciiDomain(domain: string): string | null {
  // URL would cut these off or decode them instead of refusing them.
  if (/[\s/\\?#:%[\]]/.test(domain)) {
    return null;
  }
  const parsed = URL.parse(`http://${domain}`);
  const isName = parsed !== null && domainPattern.test(parsed.hostname);
  // A last label of digits only is an IP address, not a domain.
  return isName && !/\.\d+$/.test(parsed.hostname) ? parsed.hostname : null;
}
