import { existsSync } from 'node:fs';

/** Debian's browser, or the one that an operator points at. Playwright's own cannot be fetched everywhere. */
export const chromiumPath = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium';

export const hasChromium = existsSync(chromiumPath);

export const howToGetChromium =
  'The browser suite needs Chromium: install it with `apt-get install chromium`, or set CHROMIUM_PATH to one.';

/** Chromium as root in a container, without a word to the outside. */
export const chromiumFlags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
