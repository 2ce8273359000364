import * as z from 'zod/mini';

/** What every failed request is answered with. Clients decide by `code`; `message` is in the request's language. */
export const ErrorBody = z.object({
  code: z.string(),
  message: z.string(),
  /** All messages of `fields`, flat; with a 422, the message. */
  errors: z.optional(z.array(z.string())),
  /** With `validation_failed`: messages by the name of the field, in the order of the form. */
  fields: z.optional(z.record(z.string(), z.array(z.string()))),
  /** Leads to the log line of the failure. */
  request_id: z.string(),
});
export type ErrorBody = z.infer<typeof ErrorBody>;
