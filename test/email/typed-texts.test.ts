import { expect, test } from 'vitest';
import { type Locale, locales } from '#db/values.ts';
import * as accountLetters from '#email/account-letters.ts';
import { nodesOf, plainTextLike, textIn, typedAddress, typedTexts } from '#support/typed-texts.ts';
import { mails } from './every-email.ts';

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

/** An email to a user with this name, which is also the browser's name. */
async function readMail(mail: string, name: string, language: Locale) {
  const to = { email: typedAddress, firstName: name, language };
  const message = await mails[mail]?.(to, { at: new Date(0), browser: name });
  const { html = '', text = '', subject } = message ?? {};
  return { subject, text, nodes: nodesOf(html) };
}
