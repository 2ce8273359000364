import { emails } from './emails.ts';
import { languageCookie } from './people.ts';
import { pseudo } from './playwright.config.ts';
import { pseudoCatalog } from './pseudo.ts';
import { expect, test } from './support.ts';
import { isUntranslated } from './untranslated.ts';

test.use({ baseURL: pseudo.origin });

for (const { name, receive } of emails) {
  test(`the email ${name} takes all its texts from the catalogs`, { tag: '@night' }, async ({
    page,
  }) => {
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

test('the pseudo-language keeps tags, placeholders and plural syntax', { tag: '@night' }, () => {
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
