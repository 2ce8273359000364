import { participantMailKinds } from '#email/kinds.ts';
import { alternate, hasEveryCase } from '../every-case.ts';
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

/** One of each layout: a link, a place with its ways out, a message and a list of changes. */
const inGate = {
  en: ['email-login-link', 'email-message'],
  fr: ['email-added', 'email-meeting_changed'],
};

// In `npm test` one of each layout is seen on a phone, in one language and theme, which alternate.
test('emails in both languages are accessible, fit and fetch nothing', async ({ page }) => {
  const names = emailViews.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(Object.values(inGate).flat()));
  const views = languages.flatMap((language) =>
    emailViews
      .filter(({ name }) => hasEveryCase || inGate[language].includes(name))
      .map((view) => ({ ...view, language })),
  );
  test.setTimeout(60_000 + views.length * 10_000);
  const requested: string[] = [];
  page.on('request', (request) => requested.push(request.url()));
  const faults: Record<string, unknown> = {};
  for (const [index, { language, ...view }] of views.entries()) {
    await openView(page, view, { language, size: phone });
    for (const theme of alternate(themes, index)) {
      const barriers = await barriersIn(page, theme, ofPages);
      if (barriers.length > 0) {
        faults[`${view.name}, ${language}, ${theme}`] = barriers;
      }
    }
    const inspector = await inspect(page);
    for (const size of hasEveryCase ? widths : [phone]) {
      await page.setViewportSize(size);
      const found = await inspector.evaluate((it) => [...it.tooWide(), ...it.cutTexts()]);
      if (found.length > 0) {
        faults[`${view.name}, ${language}, ${size.width} px`] = found;
      }
    }
  }
  expect(faults).toEqual({});
  expect(requested).toEqual([]);
});

// In `npm test`, the emails above have the long link.
test('every email fits a phone', { tag: '@night' }, async ({ page }) => {
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
