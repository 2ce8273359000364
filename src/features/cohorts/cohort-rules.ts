import 'server-only';
import { AppError, type FieldErrors } from '#lib/app-error.ts';

/** @throws AppError `validation_failed` if anything is wrong */
export function refuseFields(fields: FieldErrors): void {
  if (Object.keys(fields).length > 0) {
    throw new AppError('validation_failed', { fields });
  }
}

/**
 * Currencies are those of this runtime, because browsers know others.
 *
 * @throws AppError `validation_failed` for an unknown one
 */
export function requireCurrency(currency: string | null | undefined): void {
  const isKnown = currency == null || Intl.supportedValuesOf('currency').includes(currency);
  refuseFields(isKnown ? {} : { currency: ['currency_unknown'] });
}
