import { zoneGroups } from '#lib/time/zones.ts';
import { emails } from './emails.ts';
import { inspect } from './inspector.ts';
import { languageCookie, userData } from './people.ts';
import { pseudo } from './playwright.config.ts';
import { pseudoCatalog } from './pseudo.ts';
import { expect, test } from './support.ts';
import { expectedErrors, inWindows, views } from './views.ts';

test.use({
  baseURL: pseudo.origin,
  expectedErrors,
});

/** Cities have names of their own; see lib/time/city-names.ts. */
const cities = zoneGroups('fr').flatMap(({ zones }) => zones.map(({ city }) => city));

/** Words that are the same in every language. */
const names = [
  ...['English', 'Français', 'Lectern', 'Google', 'Chrome', 'Linux'],
  ...['Ctrl', 'Cmd', 'Esc', 'Alt', 'Tab', 'Shift'],
  // The contact address, which may wrap before its @.
  'hello',
];

for (const view of views) {
  test(`${view.name} takes all its texts from the catalogs, and has room for longer ones`, async ({
    openBrowser,
  }) => {
    const phoneAndDesk = [
      { width: 320, height: 800 },
      { width: 1440, height: 800 },
    ];
    await inWindows(
      openBrowser,
      view,
      { language: 'fr', sizes: phoneAndDesk },
      async (page, { width }) => {
        const inspector = await inspect(page);
        const words = await inspector.evaluate((it) => it.words());
        // The pseudo-language is active; otherwise this test would show nothing.
        expect(words.some((text) => /^\[.+\]$/.test(text))).toBe(true);
        expect(words.filter(isUntranslated), `${width} px`).toEqual([]);
        expect(await inspector.evaluate((it) => it.tooWide()), `${width} px`).toEqual([]);
        expect(await inspector.evaluate((it) => it.cutTexts()), `${width} px`).toEqual([]);
      },
    );
  });
}

for (const { name, receive } of emails) {
  test(`the email ${name} takes all its texts from the catalogs`, async ({ page }) => {
    await page.context().addCookies([languageCookie('fr')]);
    const { subject, text, html } = await receive(page);
    const content = html.replace(/<style>[^<]*<\/style>/g, '').replace(/<[^>]*>/g, '\n');
    const written = [subject, text, content]
      .join('\n')
      .split('\n')
      .map((line) => line.trim())
      // The platform formats the time of the request.
      .map((line) => line.replace(/\d+ \p{L}+ \d{4} à \d\d:\d\d UTC/u, ''));

    expect(written.some((line) => /^\[.+\]$/.test(line))).toBe(true);
    expect(written.filter(isUntranslated)).toEqual([]);
  });
}

test('the pseudo-language keeps tags, placeholders and plural syntax', () => {
  const pseudoOf = (message: string) => {
    const catalog = pseudoCatalog(`msgid ${JSON.stringify(message)}\nmsgstr "Bonjour"\n`);
    const [, translation = ''] = /^msgstr (.*)$/m.exec(catalog) ?? [];
    return JSON.parse(translation);
  };

  expect(pseudoOf('Log in')).toBe('[Ĺóǧǧ íñ]');
  expect(pseudoOf('Hi {name}, <0>log in</0><1/>')).toBe('[Ĥí {name}, <0>ĺĺóǧ ííñ</0><1/>]');
  expect(pseudoOf('{n, plural, =0 {None} other {# of {all}}}')).toBe(
    '[{n, plural, =0 {Ñóññé} other {# óƒ {all}}}]',
  );
});

function isUntranslated(text: string): boolean {
  const known = [...names, ...userData, ...cities, ...calendarWords()]
    // A name may be part of a longer one.
    .sort((a, b) => b.length - a.length)
    .reduce((rest, name) => rest.replaceAll(name, ''), text);
  // The platform says when to try again: « dans 60 minutes »; and an address may be without https.
  const platform = /\S*@\S*|https?:\S+|localhost\S+|dans \d+\s\p{L}+|\$CA|1er/gu;
  return /[A-Za-z]{2}/.test(known.replace(platform, ''));
}

/** The months and days of the platform, which formats dates. */
function calendarWords(): string[] {
  const days = Array.from({ length: 73 }, (_, at) => new Date(Date.UTC(2027, 0, 1 + 5 * at)));
  return days.flatMap((day) =>
    (['long', 'short'] as const).flatMap((length) =>
      [{ month: length }, { weekday: length }].flatMap((part) => {
        const word = day.toLocaleDateString('fr', { ...part, timeZone: 'UTC' });
        return [word, word.charAt(0).toUpperCase() + word.slice(1)];
      }),
    ),
  );
}
