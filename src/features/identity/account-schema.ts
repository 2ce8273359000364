import * as z from 'zod/mini';
import { locales } from '#db/values.ts';
import { type ParsedEmail, parseEmail } from '#lib/email-address.ts';
import { characterCount } from '#lib/text.ts';
import { lengthRule, plainText, rule } from '#lib/validation-rule.ts';
import type { ValidationCode } from '#vocabulary.ts';

// Letters and combining marks of all scripts, and the punctuation of names; Persian and Indic
// spelling needs the zero-width joiners.
const namePattern = /^(?=.*\p{L})[\p{L}\p{M} '’.\-‐‑·・\u200c\u200d]+$/u;
// Joiners are allowed only between letters.
const strayJoinerPattern = /(?<![\p{L}\p{M}])[\u200c\u200d]|[\u200c\u200d](?!\p{L})/u;
// Most email clients turn "evil.biz" and "10.0.0.1" into a link, but not "J. R.".
const linkPattern = /\.(?:\p{N}|\p{L}[\p{L}\p{N}])/u;
const invisiblePattern = /[\p{M}\p{Default_Ignorable_Code_Point}]/gu;

/** A first or last name: 2 to 49 characters, without links or markup, because emails contain it. */
export function personName(required: ValidationCode) {
  return z.string(required).check(
    z.meta({ minLength: 2 }),
    z.trim(),
    lengthRule('name_too_long', 49),
    z.normalize('NFC'),
    rule(required, (name) => name !== ''),
    rule('name_too_short', (name) => characterCount(name) >= 2),
    rule('name_too_long', (name) => characterCount(name) <= 49),
    rule('name_characters', isName),
    rule('name_full_stop', (name) => !couldBeLink(name)),
  );
}

/** Whether a text has only what names have. */
export function isName(text: string): boolean {
  return namePattern.test(text) && !strayJoinerPattern.test(text);
}

/** An email address in any spelling; the output has its two forms. */
export function emailAddress(required: ValidationCode) {
  const text = z.string(required).check(
    z.meta({ format: 'email' }),
    z.trim(),
    rule(required, (typed) => typed !== ''),
  );
  const toAddress = z.transform((typed: string, payload): ParsedEmail => {
    const address = parseEmail(typed);
    if (address === null) {
      const message: ValidationCode = 'email_invalid';
      payload.issues.push({ code: 'custom', message, input: typed });
      return z.NEVER;
    }
    return address;
  });
  return z.pipe(text, toAddress);
}

/** As email clients may detect links: despite combining marks and invisible characters. */
export function couldBeLink(name: string): boolean {
  return linkPattern.test(name.normalize('NFKC').replace(invisiblePattern, ''));
}

const languageRequired: ValidationCode = 'language_required';

const rosterNews = z
  .boolean()
  .check(z.describe('Whether the daily news of the account’s cohorts is sent'));

const bio = plainText(600, 'bio_too_long').check(
  z.describe('Who they are, on the public pages of their courses; plain text'),
);

/** The fields of an account that its user can change. */
export const AccountInput = z.strictObject({
  first_name: personName('name_required'),
  last_name: personName('name_required'),
  email: emailAddress('email_required'),
  language: z.enum(locales, languageRequired),
});
/** Any of these fields, what they say of themselves, and whether they get the daily news. */
export const AccountPatch = z.partial(z.extend(AccountInput, { bio, roster_news: rosterNews }));
export type AccountChange = z.output<typeof AccountPatch>;

/** The names as forms check them, where each has a field and a message of its own. */
export const NamesInput = z.strictObject({
  first_name: personName('first_name_required'),
  last_name: personName('last_name_required'),
});

/** What the profile in the settings has. */
export const ProfileInput = z.extend(NamesInput, { bio });

/** An account as the API returns it to its owner. */
export const Account = z.object({
  id: z.uuid(),
  first_name: z.string(),
  last_name: z.string(),
  email: z.string(),
  /** Only while an address change is pending. */
  pending_email: z.optional(z.string()),
  /** The URL of Google's picture or the path of a photo; null without: initials are shown. */
  avatar: z.nullable(z.string()),
  bio: z.nullable(z.string()),
  email_verified: z.boolean(),
  language: z.enum(locales),
  roster_news: rosterNews,
  created_at: z.iso.datetime(),
});
export type Account = z.infer<typeof Account>;
