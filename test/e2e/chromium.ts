import { existsSync } from 'node:fs';

/**
 * Debian's browsers: the headless one takes half the processor time. Playwright's own cannot be
 * downloaded everywhere.
 */
const installed = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'].find(existsSync);

/** The browser of the tests, which CHROMIUM_PATH overrides. */
export const chromiumPath = process.env['CHROMIUM_PATH'] ?? installed ?? '/usr/bin/chromium';

export const hasChromium = existsSync(chromiumPath);

export const howToGetChromium =
  'The browser suite needs Chromium: install it with `apt-get install chromium-headless-shell`, or set CHROMIUM_PATH to one.';

/** What to say after a run without it, or with one that has windows; null if all is well. */
export const chromiumNotice = !hasChromium
  ? howToGetChromium
  : chromiumPath.endsWith('headless-shell')
    ? null
    : `${chromiumPath} takes twice the time of chromium-headless-shell.`;

/**
 * Chromium as root in a container, without requests of its own. The last three spare processes,
 * which take a fifth of its processor time: all pages of a browser are the same site here. There is
 * no --disable-features: Chromium reads the last one only, so it would replace Playwright's list.
 */
export const chromiumFlags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--in-process-gpu',
  '--process-per-site',
  '--disable-site-isolation-trials',
];
