/** Patterns of user agents. The first match counts: many claim to be Chrome and Safari too. */
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
 * The common name of a browser, such as `Firefox (Windows)`, from fixed lists.
 *
 * @returns null for an unknown browser
 */
export function browserName(userAgent: string): string | null {
  const [, browser] = browsers.find(([pattern]) => pattern.test(userAgent)) ?? [];
  const [, system] = systems.find(([pattern]) => pattern.test(userAgent)) ?? [];
  if (browser === undefined) {
    return null;
  }
  return system === undefined ? browser : `${browser} (${system})`;
}

/** Whether a browser says that it is on a phone or a tablet. */
export function isHandheld(userAgent: string): boolean {
  return /\b(Mobile|Android|iPad)\b/.test(userAgent);
}
