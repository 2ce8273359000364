/** What browsers call themselves, the first that fits: many claim to be Chrome and Safari besides. */
const browsers: [pattern: RegExp, name: string][] = [
  [/\bEdg(e|A|iOS)?\//, 'Edge'],
  [/\b(OPR|Opera)\b/, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/(Chrome|Chromium|CriOS)\//, 'Chrome'],
  [/\bVersion\/\S+ .*\bSafari\//, 'Safari'],
];
const systems: [pattern: RegExp, name: string][] = [
  [/\b(iPhone|iPad)\b/, 'iOS'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
];

/**
 * A browser as people call it, such as `Firefox (Windows)`. Out of closed lists: of the header itself, which anybody can write, nothing
 * is repeated.
 *
 * @returns null when it is none that we know
 */
export function browserName(userAgent: string): string | null {
  const [, browser] = browsers.find(([pattern]) => pattern.test(userAgent)) ?? [];
  const [, system] = systems.find(([pattern]) => pattern.test(userAgent)) ?? [];
  if (browser === undefined) {
    return null;
  }
  return system === undefined ? browser : `${browser} (${system})`;
}
