import type { ErrorCode, ValidationCode } from '#vocabulary.ts';

/** What is wrong with each field, by its name and in the order of the form. */
export type FieldErrors = Record<string, ValidationCode[]>;

type AppErrorOptions = { cause?: unknown; fields?: FieldErrors; retryAfterSeconds?: number };

/**
 * A failure that callers are told about by its code; its status and its words are in the
 * vocabulary of a feature. `cause` is for the log alone.
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
