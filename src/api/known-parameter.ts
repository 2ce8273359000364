import 'server-only';
import { AppError } from '#lib/app-error.ts';

/**
 * The value of a query parameter that has a list of values.
 *
 * @throws AppError `validation_failed` on the parameter for any other value
 */
export function knownParameter<Value extends string>(
  known: readonly Value[],
  name: string,
  given: string,
): Value {
  const value = known.find((candidate) => candidate === given);
  if (value === undefined) {
    throw new AppError('validation_failed', { fields: { [name]: ['unknown_value'] } });
  }
  return value;
}
