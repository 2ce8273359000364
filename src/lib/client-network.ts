import { expandIPv6 } from 'hono/utils/ipaddr';

/** The client network of a request without a readable address. */
export const unknownNetwork = 'unknown';

/**
 * The network that limits count a request for: the whole IPv4 address, or the /64 of an IPv6
 * address, which one household or machine has to itself. All unreadable addresses count as one
 * network, so that they can't be used to avoid a limit.
 *
 * @param address the header CF-Connecting-IP, which only Cloudflare can set
 */
export function clientNetworkOf(address: string | undefined): string {
  const text = textOf(address);
  // The URL parser accepts other spellings of an IPv4 address too, and normalizes them all to this.
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
 * The network around an IPv6 client network: the /48 that one customer of a provider may have, with
 * 65,536 client networks in it. Null for IPv4 and for anything that is not an address.
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

function isIpv4(groups: number[]): boolean {
  return groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
}

/** The first groups of an address, 16 bits each. */
function prefixOf(groups: number[], count: number): string {
  const prefix = groups.slice(0, count).map((group) => group.toString(16));
  return `${prefix.join(':')}::/${16 * count}`;
}

/** The eight groups of an IPv6 address, or null. The URL parser accepts all spellings. */
function readIpv6(text: string): number[] | null {
  // Only such a text is parsed, because a parser that fails takes long.
  const isLikely = /^[0-9a-f:.]+$/.test(text) && text.includes(':');
  const hostname = isLikely ? URL.parse(`http://[${text}]`)?.hostname.slice(1, -1) : undefined;
  if (hostname === undefined) {
    return null;
  }
  return expandIPv6(hostname)
    .split(':')
    .map((group) => Number.parseInt(group, 16));
}
