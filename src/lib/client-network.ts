/** The place of a request without a readable address. */
export const unknownNetwork = 'unknown';

/**
 * The place a request comes from, as limits count it: an IPv4 address as a whole, of an IPv6 address the /64 that a household or
 * a machine has to itself. Anything else is one place, so that nobody gets around a limit by being unreadable.
 *
 * @param address the header CF-Connecting-IP, which Cloudflare sets and nobody else can
 */
export function clientNetworkOf(address: string | undefined): string {
  const text = textOf(address);
  // The URL parser takes other spellings of an IPv4 address too, and writes them all like this.
  if (/^\d+(\.\d+){3}$/.test(text) && URL.parse(`http://${text}`)?.hostname === text) {
    return text;
  }
  const groups = readIpv6(text);
  if (groups === null) {
    return unknownNetwork;
  }
  if (isIpv4(groups)) {
    const [high = 0, low = 0] = groups.slice(6);
    return [high >> 8, high & 0xff, low >> 8, low & 0xff].join('.');
  }
  return prefixOf(groups, 4);
}

/**
 * The network around the place of an IPv6 address: the /48 that one customer of a provider may
 * have, with 65,536 places in it. Null for IPv4, and for what is no address.
 *
 * @param address as for `clientNetworkOf`
 */
export function widerNetworkOf(address: string | undefined): string | null {
  const groups = readIpv6(textOf(address));
  return groups === null || isIpv4(groups) ? null : prefixOf(groups, 3);
}

function textOf(address: string | undefined): string {
  return address?.trim().toLowerCase() ?? '';
}

/** An IPv4 address in the clothes of IPv6. */
function isIpv4(groups: number[]): boolean {
  return groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
}

/** The first groups of an address, 16 bits each. */
function prefixOf(groups: number[], count: number): string {
  const prefix = groups.slice(0, count).map((group) => group.toString(16));
  return `${prefix.join(':')}::/${16 * count}`;
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
