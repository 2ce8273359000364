import { msg } from '#i18n/msg.ts';
import type { Errors, ValidationTexts } from '#lib/vocabulary.ts';

/** Errors that belong to no feature: requests refused by middleware, and fields of any schema. */
export const errors = {
  body_too_large: {
    status: 413,
    text: msg`That’s too long. Please shorten it.`,
  },
  cookies_too_large: {
    status: 431,
    text: msg`Your browser sent too many cookies. Please delete the cookies for this site and try again.`,
  },
  csrf_failed: {
    status: 403,
    text: msg`We couldn’t verify that this request came from you. Please reload the page and try again.`,
  },
  internal: { status: 500, text: msg`Something went wrong. Please try again.` },
  malformed_body: { status: 400, text: msg`Invalid input. Please check your information.` },
  method_not_allowed: {
    status: 405,
    text: msg`This address doesn’t accept this kind of request.`,
  },
  misdirected: { status: 421, text: msg`This isn’t the address of this app.` },
  not_found: { status: 404, text: msg`There’s nothing at this address.` },
  unavailable: {
    status: 503,
    text: msg`We can’t load your data right now. Please try again in a moment.`,
  },
  unsupported_media_type: {
    status: 415,
    text: msg`This address doesn’t accept this type of content.`,
  },
  url_too_long: { status: 414, text: msg`This web address is too long.` },
  validation_failed: { status: 400, text: msg`Invalid input. Please check your information.` },
} satisfies Errors;

export const validation = {
  required: msg`This field is required.`,
  unknown_field: msg`This field is unknown.`,
  unknown_value: msg`This value is unknown.`,
  all_fields_required: msg`Please fill in all required fields.`,
  idempotency_key_invalid: msg`An idempotency key has 1 to 255 printable characters`,
} satisfies ValidationTexts;

export const events = { csrf_refused: true };
