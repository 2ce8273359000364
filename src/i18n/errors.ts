import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { ErrorCode } from '#lib/app-error.ts';

/** The words for each failure. People never read an internal message: they read one of these. */
export const errorMessages = {
  account_not_found: msg`No account found with this email address.`,
  address_bounced: msg`We cannot send email to this address: an earlier one came back. Please log in with Google, use another address, or write to us; how is on the privacy page.`,
  address_complained: msg`We cannot send email to this address: our email to it was reported as spam. Please log in with Google, use another address, or write to us; how is on the privacy page.`,
  address_taken: msg`This email address now belongs to another Lectern account. Log in to that account and delete it, then open this link again.`,
  body_too_large: msg`This is more than we can take in one go. Please shorten it.`,
  cookies_too_large: msg`Your browser sent too many cookies. Please delete the cookies for this site and try again.`,
  csrf_failed: msg`We could not be sure that this request came from you. Please reload the page and try again.`,
  email_not_verified: msg`Please verify your email address first`,
  idempotency_key_reused: msg`This request was already sent with other details. Please reload the page and try again.`,
  internal: msg`Something went wrong. Please try again.`,
  invalid_state: msg`Invalid authentication state`,
  link_invalid: msg`Authentication failed. Please try again`,
  mail_unavailable: msg`We could not send the email just now. Please try again in a moment.`,
  malformed_body: msg`Invalid input. Please check your information.`,
  method_not_allowed: msg`This address does not take that kind of request.`,
  misdirected: msg`This is not the address of this app.`,
  not_found: msg`There is nothing at this address.`,
  proof_required: msg`Please confirm first that it is you: log in again with a fresh link.`,
  rate_limited: msg`Too many requests. Please try again later.`,
  signature_invalid: msg`The signature of this request is not valid.`,
  unauthenticated: msg`Your session has expired. Please log in again.`,
  unavailable: msg`We cannot reach our records just now. Please try again in a moment.`,
  unsupported_media_type: msg`Please send JSON.`,
  url_too_long: msg`This web address is too long.`,
  validation_failed: msg`Invalid input. Please check your information.`,
} satisfies Record<ErrorCode, MessageDescriptor>;

/** A sign-in with Google that came to nothing, for whatever reason. */
export const googleFailed = msg`Google authentication failed, consider using email login to continue.`;

/** Said of a page that could not be shown. */
export const pageUnread = msg`This page could not be shown. Please try again in a moment.`;

/** Said of a page whose reader could not be looked up. */
export const viewerUnknown = msg`Failed to fetch user information.`;

/** Said by the browser alone: nothing answered. */
export const connectionLost = msg`We could not reach Lectern. Please check your connection and try again.`;
