import type { I18n } from '@lingui/core';
import { msg } from '@lingui/core/macro';

/**
 * What Stripe still needs, by parts of the names that it has for it, such as
 * `identity.individual.documents.primary_verification`. The first that fits says it.
 */
const words = [
  [/document|verification|id_number|proof/, msg`Proof of identity`],
  [/terms_of_service|attestation|tos_/, msg`Consent to Stripe’s terms`],
  [/date_of_birth|\bdob\b/, msg`Date of birth`],
  [/external_account|bank|payout|outbound_destination|currency/, msg`Bank account`],
  [
    /business|company|merchant\.|mcc|url|profile|statement_descriptor/,
    msg`Details of your business`,
  ],
  [/name|address|phone|email|individual|person/, msg`Name and address`],
] as const;

/** What Stripe still needs, each thing once. */
export function missingWords(i18n: I18n, codes: readonly string[]): string[] {
  const said = codes.map(
    (code) => words.find(([pattern]) => pattern.test(code))?.[1] ?? msg`Something else`,
  );
  return [...new Set(said.map((text) => i18n._(text)))];
}
