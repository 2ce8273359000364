import * as z from 'zod/mini';

/** Whether the emails of a link shall come. */
export const SubscriptionInput = z.strictObject({
  link: z.string().check(z.describe('What comes after “u=” in the address of an email')),
  is_on: z.boolean(),
});
export type SubscriptionInput = z.output<typeof SubscriptionInput>;

/** Whether they come now. */
export const SubscriptionState = z.object({ is_on: z.boolean() });
