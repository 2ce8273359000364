import { expect, test } from 'vitest';
import { courseHues, type Locale, locales } from '#db/values.ts';
import { loginLink } from '#email/account-letters.ts';
import { colorsOf, covers, paints } from '#email/document.ts';
import type { ParticipantMailKind } from '#email/kinds.ts';
import { participantLetter } from '#email/participant-letter.ts';
import type { Payload } from '#email/payload.ts';
import type { Message } from '#email/send.ts';
import { shortTitle } from '#lib/text.ts';
import { nodesOf } from '#support/typed-texts.ts';
import {
  appOrigin,
  calendarFile,
  cohortsOfOne,
  link,
  mails as otherMails,
  pageOut,
  pageRemoval,
  participantMails,
  payload,
  rosterPage,
} from './every-email.ts';

const mails: typeof otherMails = { ...otherMails, ...participantMails };

const asked = { at: new Date('2026-11-24T16:41:00Z'), browser: 'Firefox (Windows)' };

/** Whose button leads elsewhere than to the lessons, which there are. */
const withLessons = ['starts_soon', 'payment_reminder, of a run', 'completed, of a run'];

/** Each of these emails in both languages. */
function casesOf(names: string[]) {
  return names.flatMap((mail) => locales.map((language) => ({ mail, language })));
}

const cases = casesOf(Object.keys(mails));

test.each(cases)(
  '$mail ($language) says in plain text what it says in HTML, and repeats neither in its preview',
  async ({ mail, language }) => {
    const { subject, html, text } = await read(mail, language);
    const [, preheader = ''] = /mso-hide:all">([^<]+)<\/div>/.exec(html) ?? [];
    const [preview = '', space = ''] = preheader.split(/(?=\u034f)/, 2);
    expect(preview).toMatch(/^\P{Ll}.+[.?!]$/u);
    expect(html.split(preview)).toHaveLength(2);
    expect(`${subject}\n${text}`).not.toContain(preview);
    // Otherwise mail programs fill the preview with the first words of the email.
    expect(html).toContain(space.repeat(60));

    const [, title = ''] = /<h1 [^>]*>([^<]+)<\/h1>/.exec(html) ?? [];
    // The date of a day is said in full before it.
    const seen = html.replace(/<td [^>]*aria-hidden="true"[\s\S]*?<\/td>/g, '');
    const texts = textsOf(seen.slice(seen.indexOf('<h1')));
    expect(texts.length).toBeGreaterThan(2);
    // The subject says what the title says, and plain text has no button.
    expect(texts.filter((part) => part !== title && !text.includes(part))).toEqual([
      ...(html.includes('href=') ? [expect.stringMatching(/(browser|navigateur).?:$/)] : []),
    ]);
    expect(text).not.toMatch(/<|&\w+;|undefined|\n{3}/);
  },
);

test.each(casesOf(Object.keys(participantMails)))(
  '$mail ($language) says which course, which cohort and who teaches, and its subject the course',
  async ({ mail, language }) => {
    const { subject, html, text } = await read(mail, language);
    const isOfMany = mail.endsWith('of many');
    const isOfRun = mail.endsWith('of a run');
    expect(subject.includes('Fiction')).toBe(!isOfMany);
    expect(subject.length).toBeLessThan(120);
    for (const content of [textsOf(html.slice(html.indexOf('<table'))).join(' '), text]) {
      expect(content).toContain('Fiction');
      expect(content).toContain('Anna Martin');
      // Who waits for enrollment to open does not wait for a cohort.
      expect(content.includes('Writing in spring')).toBe(mail !== 'confirm_interest' && !isOfRun);
      expect(content.includes('Writing in fall')).toBe(isOfMany);
      expect(content.includes('Poetry')).toBe(isOfMany);
    }
  },
);

test.each(cases.filter(({ mail }) => mail.endsWith('of a run')))(
  '$mail ($language) says nothing of a cohort, its days or its sessions',
  async (of) => {
    const { subject, html, text } = await read(of.mail, of.language);
    const content = [subject, ...textsOf(html), text].join('\n').replaceAll(rosterPage, '');
    expect(content).not.toMatch(/cohort|2100|2101|November 24|24 novembre|session|séance|calend/i);
    expect(html).not.toContain(calendarFile);
  },
);

test('who can start at once is led to the course', async () => {
  for (const mail of ['enrolled', 'added', 'transferred', 'lessons_released', 'nudge']) {
    const { html, text } = await read(`${mail}, of a run`, 'en');
    expect(html.match(/>Open the course</g)).toHaveLength(1);
    expect(text).toContain(link);
  }
});

test('an email about several courses names each, with the cohort where there is one', async () => {
  const cohorts = [...cohortsOfOne, { kind: 'open' as const, name: 'Essays', course: 'Essays' }];
  const { text } = await letter('data_link', { cohorts });
  expect(text).toContain('This email is about these courses with Anna Martin:');
  expect(text.match(/Essays/g)).toHaveLength(1);
  expect(text).toContain('Writing in fall');
});

test('a subject has a long title without its subtitle, or cut after a word', () => {
  expect(shortTitle('The Short Story: An Introduction to Writing Fiction')).toBe('The Short Story');
  expect(shortTitle('Writing: A First Course')).toBe('Writing: A First Course');
  expect(shortTitle('Everything that one should know before writing a novel')).toBe(
    'Everything that one should know before writing…',
  );
});

test('someone who gets a place reads when it begins, with the weekday, and can add it to a calendar; someone who has left reads no dates or price', async () => {
  const { html, text } = await read('enrolled', 'en');
  for (const content of [html, text]) {
    expect(content).toContain('Tuesday, January 5, 6:00 – 7:30');
    expect(content).toContain('Reading: Chekhov');
    expect(content).toContain(calendarFile);
  }
  for (const kind of ['removed', 'left', 'left_by_owner'] as const) {
    const gone = await read(kind, 'en');
    expect(`${gone.html}${gone.text}`).not.toMatch(/January 4|€/);
  }
});

test('an address that an instructor has typed is a link; one in a name is not', async () => {
  const address = 'https://docs.example/a?a=1&b=2';
  const { html, text } = await letter('message', {
    cohort: { ...payload.cohort, name: `See ${address}` },
    message: { subject: 'Chairs', text: `See ${address}. And http://docs.example or <b>.` },
  });
  const href = address.replace('&', '&amp;');
  expect(html.match(/href="https:\/\/docs[^"]*"[^>]*>[^<]*/g)).toEqual([
    expect.stringMatching(/^href="[^"]*" target="_blank" rel="noopener noreferrer nofollow ugc"/),
  ]);
  expect(html).toContain(`>${href}</a>. And http://docs.example or &lt;b&gt;.`);
  expect(text).toContain(`See ${address}. And`);
});

test('a place that is an address is a link, but not to people who have agreed to nothing', async () => {
  const place = 'Room 4, or https://meet.example/a?b=1. See docs.example';
  const cohort = { ...payload.cohort, place };
  const session = { title: 'Draft', starts_local: '2027-01-05T18:00', duration_minutes: 90, place };
  const meeting = { ...session, id: '', starts_at: 0, which: 'day' as const };
  for (const { html, text } of [
    await letter('offer', { cohort }),
    await letter('meeting_reminder', { meeting }),
    await letter('meeting_changed', { changes: [{ ...session, is_cancelled: 0, before: null }] }),
  ]) {
    expect(html).toContain('href="https://meet.example/a?b=1" target="_blank" rel="noopener');
    expect(html).toContain('. See docs. example');
    expect(text).toContain('Room 4, or https://meet.example/a?b=1. See docs. example');
  }
  const enrollment = { expires_at: null, offer_hours: 48, position: null, source: 'imported' };
  const invitation = await letter('invitation', { cohort, enrollment });
  expect(invitation.html).not.toContain('https://meet');
  expect(invitation.text).toContain('Room 4, or https meet. example');
});

test.each([
  ['roster-news', 'Writing in spring'],
  ['meeting_changed', 'Second draft'],
  ['meeting_cancelled', 'First draft'],
])('what %s lists comes before its button, as its sentence does', async (mail, entry) => {
  const { html, text } = await read(mail, 'en');
  for (const content of [html, text]) {
    expect(content).toContain(entry);
    expect(content.lastIndexOf(entry)).toBeLessThan(content.indexOf(link));
  }
});

test.each(cases)(
  '$mail ($language) requests nothing from the network, and links only to the app, visibly; it names its language, and is small',
  async ({ mail, language }) => {
    const { html, text } = await read(mail, language);
    const hrefs = [...html.matchAll(/href="([^"]*)"/g)].map(([, href]) => href);
    const addresses = html.match(/https?:[^"<\s]+/g) ?? [];

    expect(html).not.toMatch(
      /<(img|link|script|iframe|video|form|svg)|src=|url\(|@import|@font-face/i,
    );
    expect(new Set(hrefs)).toEqual(new Set(addresses));
    if (mail === 'owner-payments, disputed') {
      // Only Stripe takes the answer.
      expect(new Set(hrefs)).toEqual(new Set(['https://dashboard.stripe.com/disputes', link]));
    } else if (hrefs.length > 0) {
      expect(addresses.every((address) => address.startsWith(`${appOrigin}/`))).toBe(true);
      const ofParts = [calendarFile, pageOut, pageRemoval, rosterPage];
      // The button, its address in the foot, and the lessons, which are on the same page.
      const toPage = hrefs.filter((href = '') => !ofParts.includes(href));
      const length = withLessons.includes(mail) ? 3 : 2;
      expect(toPage).toEqual(Array.from({ length }, () => link));
      expect(textsOf(html)).toContain(link);
    }

    expect(html).toContain(`<html lang="${language}" dir="ltr">`);
    // Mail programs drop the outermost elements.
    expect(html).toContain(`<div lang="${language}" dir="ltr"`);
    expect(html.match(/<table(?! role="presentation")/g)).toBeNull();
    expect(html).toContain('<meta name="color-scheme" content="light dark">');
    // Gmail cuts emails at 102 kB, and drops a style element of 8192 characters.
    expect(new TextEncoder().encode(html).length).toBeLessThan(30_000);
    expect(/<style>([^<]*)/.exec(html)?.[1]?.length).toBeLessThan(8192);
    expect(text.length).toBeLessThan(2000);
  },
);

test.each([...courseHues, undefined])(
  'every part with a light color has a dark one, no other color is in an email, and its cover has enough contrast: %s',
  async (hue) => {
    const cohort = { ...payload.cohort, ...(hue && { hue }) };
    const { html } = await letter('offer', { cohort });
    const colors = colorsOf(hue);
    const [, dark = ''] = /prefers-color-scheme:dark\)\{([\s\S]*?\})\s*\}/.exec(html) ?? [];
    const [, page = ''] = html.split('</head>');
    const known: string[] = Object.values(colors).flat();

    for (const [part, paint] of Object.entries(paints)) {
      const rule = Object.entries(paint).map(
        ([property, color]) => `${property}:${colors[color][1]}!important;`,
      );
      expect(dark).toContain(`.${part}{${rule.join('')}}`);
    }
    for (const [element, style = ''] of page.matchAll(/<[^>]*style="([^"]*)"[^>]*>/g)) {
      const painted = style.match(/#[0-9a-f]{3,6}/g) ?? [];
      expect(painted.filter((color) => !known.includes(color))).toEqual([]);
      expect(painted.length > 0).toBe(Object.keys(paints).some((part) => hasClass(element, part)));
    }
    expect(page).toContain(`background-color:${covers[hue ?? 'teal'][0]};`);
    for (const theme of [0, 1] as const) {
      for (const ink of [colors['cover-ink'], colors['cover-muted']]) {
        expect(contrastOf(colors.cover[theme], ink[theme])).toBeGreaterThan(4.5);
      }
    }
  },
);

test('a code comes before the link, in groups of three', async () => {
  const to = addressee('fr');
  const withCode = await loginLink(to, link, asked, '123456');
  const without = await loginLink(to, link, asked, null);

  expect(textsOf(withCode.html)).toEqual(expect.arrayContaining(['Votre code', '123 456']));
  expect(withCode.html.indexOf('123 456')).toBeLessThan(withCode.html.indexOf('href='));
  const line = 'Votre code\u00a0: 123 456';
  expect(withCode.text).toContain(line);
  expect(withCode.text.indexOf(line)).toBeLessThan(withCode.text.indexOf(link));
  expect(`${without.html}${without.text}`).not.toContain('Votre code');
});

test('a link with several parameters is escaped in HTML and whole in plain text', async () => {
  const { html, text } = await loginLink(addressee('en'), `${link}&b="<2>`, asked, null);

  expect(html.match(/token=a&amp;b=&quot;&lt;2&gt;/g)).toHaveLength(3);
  expect(text).toContain(`${link}&b="<2>`);
});

function addressee(language: Locale) {
  return { email: 'ada@example.com', firstName: 'Ada', language };
}

async function read(mail: string, language: Locale): Promise<Message> {
  return (await mails[mail]?.(addressee(language), asked)) as Message;
}

/** An email to a participant that says this beside the rest. */
function letter(kind: ParticipantMailKind, facts: Partial<Payload>): Promise<Message> {
  return participantLetter(kind, 'ada@example.com', { ...payload, ...facts }, link);
}

function hasClass(element: string, name: string): boolean {
  return new RegExp(`class="${name}"`).test(element);
}

function textsOf(html: string): string[] {
  return nodesOf(html)
    .filter((_node, index) => index % 2 === 0)
    .map((text) => text.trim())
    .filter((text) => text !== '');
}

/** By WCAG 2. */
function contrastOf(...pair: [string, string]): number {
  const [dark = 0, light = 0] = pair.map(luminance).sort((one, other) => one - other);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(color: string): number {
  return [0.2126, 0.7152, 0.0722]
    .map((weight, index) => {
      const channel = Number.parseInt(color.slice(1 + 2 * index, 3 + 2 * index), 16) / 255;
      return weight * (channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4);
    })
    .reduce((sum, part) => sum + part, 0);
}
