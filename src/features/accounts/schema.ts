import * as z from 'zod/mini';
import { locales } from '#db/values.ts';
import { type EmailAddress, parseEmail } from '#lib/email-address.ts';
import { characterCount } from '#lib/text.ts';
import { lengthRule, rule } from '#lib/validation-rule.ts';
import type { ValidationCode } from '#vocabulary.ts';

// Letters of all scripts with their marks, and what names are joined with; the zero-width joiners are part of Persian and
// Indic spelling.
const namePattern = /^(?=.*\p{L})[\p{L}\p{M} '’.\-‐‑·・\u200c\u200d]+$/u;
// A joiner joins letters and stands nowhere else.
const strayJoinerPattern = /(?<![\p{L}\p{M}])[\u200c\u200d]|[\u200c\u200d](?!\p{L})/u;
// "evil.biz" in a name would become a link in most mail programs; "J. R." does not.
const linkPattern = /\.\p{L}{2,}/u;
const invisiblePattern = /[\p{M}\p{Default_Ignorable_Code_Point}]/gu;

/** A first or last name: 2 to 49 characters, and nothing that could carry a link or markup into a mail. */
export function personName(required: ValidationCode) {
  return z.string(required).check(
    z.trim(),
    lengthRule('name_too_long', 50),
    z.normalize('NFC'),
    rule(required, (name) => name !== ''),
    rule('name_too_short', (name) => characterCount(name) >= 2),
    rule('name_too_long', (name) => characterCount(name) < 50),
    rule('name_characters', (name) => namePattern.test(name) && !strayJoinerPattern.test(name)),
    rule('name_full_stop', (name) => !couldBeLink(name)),
  );
}

/** An e-mail address in any spelling; comes out in its two forms. */
export function emailAddress(required: ValidationCode) {
  const text = z.string(required).check(
    z.trim(),
    rule(required, (typed) => typed !== ''),
  );
  const toAddress = z.transform((typed: string, payload): EmailAddress => {
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

/** As a mail program may read it: marks and what cannot be seen do not break a link. */
function couldBeLink(name: string): boolean {
  return linkPattern.test(name.normalize('NFKC').replace(invisiblePattern, ''));
}

const languageRequired: ValidationCode = 'language_required';

/** All that people can change of their account. */
export const AccountInput = z.strictObject({
  first_name: personName('name_required'),
  last_name: personName('name_required'),
  email: emailAddress('email_required'),
  language: z.enum(locales, languageRequired),
});
/** Some of it. */
export const AccountPatch = z.partial(AccountInput);
export type AccountChange = z.output<typeof AccountPatch>;

/** An account as the API tells it to its owner. */
export const Account = z.object({
  id: z.uuid(),
  first_name: z.string(),
  last_name: z.string(),
  email: z.string(),
  /** Only while an address change waits for the click on its link. */
  pending_email: z.optional(z.string()),
  /** Address of a picture; null while there is none, and initials are shown. */
  avatar: z.nullable(z.string()),
  email_verified: z.boolean(),
  language: z.enum(locales),
  created_at: z.iso.datetime(),
});
export type Account = z.infer<typeof Account>;
