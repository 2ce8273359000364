import type { ErrorCode, ValidationCode } from '#vocabulary.ts';

/** A message for a field, with the values of its text if it has any. */
export type FieldError = ValidationCode | { code: ValidationCode; values: Record<string, string> };

/** The errors of each field by name, in the order of the form. */
export type FieldErrors = Record<string, FieldError[]>;

type AppErrorOptions = {
  cause?: unknown;
  fields?: FieldErrors;
  retryAfterSeconds?: number;
  values?: Record<string, string | number>;
  details?: object;
};

/** A failure that callers get as a code from a vocabulary. Only the log gets the `cause`. */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: ErrorCode;
  /** Only with `validation_failed`. */
  readonly fields: FieldErrors | undefined;
  /** Set if it is known when to retry. */
  readonly retryAfterSeconds: number | undefined;

  /** The values of its text, if it has any. */
  readonly values: Record<string, string | number> | undefined;
  /** What the answer has beside the fields of every error; see `errorDetails` in describe.ts. */
  readonly details: object | undefined;

  constructor(code: ErrorCode, options: AppErrorOptions = {}) {
    super(code, 'cause' in options ? { cause: options.cause } : {});
    this.code = code;
    this.fields = options.fields;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.values = options.values;
    this.details = options.details;
  }
}

/** @throws AppError `validation_failed` if anything is wrong */
export function refuseFields(fields: FieldErrors): void {
  if (Object.keys(fields).length > 0) {
    throw new AppError('validation_failed', { fields });
  }
}

/** @throws AppError `not_found` without a value */
export function requireFound<T>(value: T | null | undefined): T {
  if (value === null || value === undefined) {
    throw new AppError('not_found');
  }
  return value;
}
