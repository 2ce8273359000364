import * as z from 'zod/mini';

/** How enrollment in an evergreen course begins. */
export const EnrollmentInput = z.strictObject({
  opens: z
    ._default(z.boolean(), true)
    .check(z.describe('false: it stays closed until it is opened, so that it can be set up first')),
});
export type EnrollmentInput = z.output<typeof EnrollmentInput>;
