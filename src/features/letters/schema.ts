import * as z from 'zod/mini';
import { participantMailKinds } from '#email/kinds.ts';

/** An email as its reader gets it, in the cohort's language. */
export const EmailPreview = z.object({
  kind: z.enum(participantMailKinds),
  from: z.string(),
  reply_to: z.string(),
  subject: z.string(),
  text: z.string(),
  html: z.string(),
});
export type EmailPreview = z.infer<typeof EmailPreview>;
