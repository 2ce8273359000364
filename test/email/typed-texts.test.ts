import { expect, test } from 'vitest';
import { type Locale, locales } from '#db/values.ts';
import * as accountLetters from '#email/account-letters.ts';
import {
  changeTyped,
  nodesOf,
  plainTextLike,
  textIn,
  typedAddress,
  typedTexts,
} from '#support/typed-texts.ts';
import { facts, mails, participantMails } from './every-email.ts';

test('every email is covered', () => {
  const files = Object.keys(import.meta.glob('../../src/email/*.ts')).map((file) =>
    file.replace(/^.*\/|\.ts$/g, ''),
  );
  const accountMails = Object.keys(accountLetters).map((name) =>
    name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
  );

  expect(
    [
      ...new Set(Object.keys(mails).map((mail) => mail.replace(/, .*/, ''))),
      'account-letters',
      'document',
      'interest-letter',
      'kinds',
      'layout',
      'participant-letter',
      'payload',
      'send',
    ].sort(),
  ).toEqual([...accountMails, ...files].sort());
});

const cases = Object.keys(mails).flatMap((mail) =>
  Object.entries(typedTexts).map(([kind, typed]) => ({ mail, kind, typed })),
);

test.each(cases)(
  'in $mail, a name with $kind appears as typed, in both languages',
  async ({ mail, typed }) => {
    const plain = plainTextLike(typed);
    const rename = (text: string) => text.replaceAll(typed, () => plain);
    for (const language of locales) {
      const { text, nodes, ...rest } = await readMail(mail, typed, language);

      // This email must reveal nothing about the requester.
      expect(text.includes(typed)).toBe(mail !== 'address-taken');
      expect(textIn(nodes).includes(typed)).toBe(mail !== 'address-taken');
      // Apart from the name it is the same email: no tag was lost or added.
      expect({ ...rest, text: rename(text), nodes: nodes.map(rename) }).toEqual(
        await readMail(mail, plain, language),
      );
    }
  },
);

test('what people have typed is set in its own direction in every email, where it is not in a sentence of ours', async () => {
  const arabic = 'مرحبا بكم في الدورة. نلتقي يوم الاثنين.';
  changeTyped(facts, () => arabic);
  let count = 0;
  for (const [name, compose] of Object.entries({ ...mails, ...participantMails })) {
    for (const language of locales) {
      const to = { email: typedAddress, firstName: arabic, language };
      const { html } = await compose(to, { at: new Date(0), browser: arabic });
      const alone = blocksOf(html).filter(
        ({ text }) => text.includes(arabic) && !/[a-z]/i.test(text),
      );
      expect(
        alone.filter(({ tag }) => !tag.includes(' dir="auto"')),
        `${name} (${language})`,
      ).toEqual([]);
      count += alone.length;
    }
  }
  expect(count).toBeGreaterThan(400);
});

/** The texts of an email, each with the tag of the last block that was opened before it. */
function blocksOf(html: string) {
  const [, body = ''] = html.split('<body');
  return [
    ...body.matchAll(/(<(?:p|td|h1|div)\b[^>]*>)((?:(?!<\/?(?:p|td|h1|div)\b)[\s\S])*)/g),
  ].map(([, tag = '', inside = '']) => ({ tag, text: textIn(nodesOf(inside)).trim() }));
}

/** An email to a user with this name, which is also the browser's name. */
async function readMail(mail: string, name: string, language: Locale) {
  const to = { email: typedAddress, firstName: name, language };
  const message = await mails[mail]?.(to, { at: new Date(0), browser: name });
  const { html = '', text = '', subject } = message ?? {};
  return { subject, text, nodes: nodesOf(html) };
}
