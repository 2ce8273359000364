import { existsSync } from 'node:fs';

/**
 * Debian's browser, or the one set by an operator. Playwright's own cannot be downloaded
 * everywhere.
 */
export const chromiumPath = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium';

export const hasChromium = existsSync(chromiumPath);

export const howToGetChromium =
  'The browser suite needs Chromium: install it with `apt-get install chromium`, or set CHROMIUM_PATH to one.';

/** Chromium as root in a container, without requests of its own. */
export const chromiumFlags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
