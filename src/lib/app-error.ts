import type { ValidationCode } from '#i18n/validation.ts';

/** Everything that may go wrong in an expected way. Codes never change: clients decide by them. */
export type ErrorCode =
  | 'account_not_found'
  | 'address_bounced'
  | 'address_complained'
  | 'address_taken'
  | 'body_too_large'
  | 'cookies_too_large'
  | 'csrf_failed'
  | 'email_not_verified'
  | 'idempotency_key_reused'
  | 'internal'
  | 'invalid_state'
  | 'link_invalid'
  | 'mail_unavailable'
  | 'malformed_body'
  | 'method_not_allowed'
  | 'misdirected'
  | 'not_found'
  | 'proof_required'
  | 'rate_limited'
  | 'signature_invalid'
  | 'unauthenticated'
  | 'unavailable'
  | 'unsupported_media_type'
  | 'url_too_long'
  | 'validation_failed';

/** What is wrong with each field, by its name and in the order of the form. */
export type FieldErrors = Record<string, ValidationCode[]>;

type AppErrorOptions = { cause?: unknown; fields?: FieldErrors; retryAfterSeconds?: number };

/**
 * A failure that callers are told about by its code; the words are chosen in i18n/errors.ts, the status in api/errors.ts.
 * `cause` is for the log alone.
 */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: ErrorCode;
  /** Only with `validation_failed`. */
  readonly fields: FieldErrors | undefined;
  /** Where it is known when it is worth trying again. */
  readonly retryAfterSeconds: number | undefined;

  constructor(code: ErrorCode, options: AppErrorOptions = {}) {
    super(code, 'cause' in options ? { cause: options.cause } : {});
    this.code = code;
    this.fields = options.fields;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}
