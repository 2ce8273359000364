import * as z from 'zod/mini';

/** The body of every error. Clients decide by `code`; `message` is in the request's language. */
export const ErrorBody = z
  .object({
    code: z.string().check(z.describe('Never changes, so programs can rely on it')),
    message: z.string(),
    /** All messages of `fields` in one list; with a 422, the message. */
    errors: z.optional(z.array(z.string())),
    /** With `validation_failed`: messages by field name, in the order of the form. */
    fields: z.optional(z.record(z.string(), z.array(z.string()))),
    /** The failure's log line has the same id. */
    request_id: z.string(),
  })
  .register(z.globalRegistry, { id: 'Error' });
export type ErrorBody = z.infer<typeof ErrorBody>;
