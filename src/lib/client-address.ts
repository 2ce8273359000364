/**
 * The place a request comes from, as limits count it: an IPv4 address as a whole, of an IPv6 address the /64 that a household or
 * a machine has to itself. Anything else is one place, so that nobody gets around a limit by being unreadable.
 *
 * @param address the header CF-Connecting-IP, which Cloudflare sets and nobody else can
 */
export function placeOf(address: string | undefined): string {
  const text = address?.trim().toLowerCase() ?? '';
  // The URL parser takes other spellings of an IPv4 address too, and writes them all like this.
  if (/^\d+(\.\d+){3}$/.test(text) && URL.parse(`http://${text}`)?.hostname === text) {
    return text;
  }
  const groups = readIpv6(text);
  if (groups === null) {
    return 'unknown';
  }
  // An IPv4 address in the clothes of IPv6.
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, high = 0, low = 0] = groups;
  if (a + b + c + d + e === 0 && f === 0xffff) {
    return [high >> 8, high & 0xff, low >> 8, low & 0xff].join('.');
  }
  return `${[a, b, c, d].map((group) => group.toString(16)).join(':')}::/64`;
}

/** The eight groups of an IPv6 address, or null. The URL parser knows all its spellings. */
function readIpv6(text: string): number[] | null {
  const hostname = URL.parse(`http://[${text}]`)?.hostname.slice(1, -1);
  if (hostname === undefined || !/^[0-9a-f:.]+$/.test(text)) {
    return null;
  }
  const [head = '', tail] = hostname.split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = Array(8 - left.length - right.length).fill('0');
  return [...left, ...zeros, ...right].map((group) => Number.parseInt(group, 16));
}
