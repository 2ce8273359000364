import { participantMailKinds } from '#email/kinds.ts';
import { hasEveryCase } from '../every-case.ts';
import { barriersIn, themes } from './accessibility.ts';
import { composeEmails } from './composed-emails.ts';
import { emailViews, longLink } from './emails.ts';
import { inspect } from './inspector.ts';
import { languages } from './people.ts';
import { expect, test } from './support.ts';
import { openView } from './views.ts';

/** An email is part of a mail program's page, which has the landmarks. */
const ofPages = ['landmark-one-main', 'region'];

const phone = { width: 320, height: 568 };

const widths = [phone, { width: 600, height: 800 }, { width: 1280, height: 800 }];

// In `npm test` each email is seen on a phone, in one language and theme, which alternate.
for (const language of languages) {
  test(`emails in ${language} are accessible, fit and fetch nothing`, async ({ page }) => {
    test.setTimeout(180_000);
    const requested: string[] = [];
    page.on('request', (request) => requested.push(request.url()));
    const faults: Record<string, unknown> = {};
    for (const [index, view] of emailViews.entries()) {
      const isOurs = languages[index % 2] === language;
      if (!(isOurs || hasEveryCase)) {
        continue;
      }
      await openView(page, view, { language, size: phone });
      const theme = themes[Math.floor(index / 2) % 2];
      for (const each of themes.filter((one) => hasEveryCase || one === theme)) {
        const barriers = await barriersIn(page, each, ofPages);
        if (barriers.length > 0) {
          faults[`${view.name}, ${each}`] = barriers;
        }
      }
      const inspector = await inspect(page);
      for (const size of hasEveryCase ? widths : [phone]) {
        await page.setViewportSize(size);
        const found = await inspector.evaluate((it) => [...it.tooWide(), ...it.cutTexts()]);
        if (found.length > 0) {
          faults[`${view.name}, ${size.width} px`] = found;
        }
      }
    }
    expect(faults).toEqual({});
    expect(requested).toEqual([]);
  });
}

test('every email fits a phone', async ({ page }) => {
  await page.setViewportSize(phone);
  const mails = await composeEmails(longLink);
  // Names have it without what would make it a link.
  const [path = ''] = /document.*/.exec(longLink) ?? [];
  const named = mails.filter(({ html }) => html.includes(path)).map(({ name }) => name);
  const kinds = [...participantMailKinds, 'confirm_interest'];
  expect(named).toEqual(
    expect.arrayContaining(
      kinds.flatMap((kind) => languages.map((language) => `${kind} (${language})`)),
    ),
  );
  const widths: [string, number][] = [];
  for (const { name, html } of mails) {
    await page.setContent(html);
    widths.push([name, await page.evaluate(() => document.documentElement.scrollWidth)]);
  }
  expect(widths.filter(([, width]) => width > phone.width)).toEqual([]);
});
