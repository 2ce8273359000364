import { customType } from 'drizzle-orm/sqlite-core';

/**
 * A text column with values from a list that grows. Checked here and not by a CHECK, because on D1
 * a changed CHECK means rebuilding the table and every table that references it (decision 29).
 */
export function oneOf<Value extends string>(name: string, values: readonly Value[]) {
  return customType<{ data: Value; driverData: string }>({
    dataType: () => 'text',
    toDriver(value) {
      if (!values.includes(value)) {
        throw new Error(`What was to be written into ${name} is not in its list`);
      }
      return value;
    },
  })(name);
}
