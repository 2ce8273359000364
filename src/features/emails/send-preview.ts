import 'server-only';
import { sql } from 'drizzle-orm';
import { ask } from '#db/query.ts';
import type { ParticipantMailKind } from '#email/kinds.ts';
import type { Payload } from '#email/payload.ts';
import type { ViewerContext } from '#features/identity/find-actor.ts';
import { samplePayload } from '#features/letters/sample.ts';
import { limitOn, refuseFull } from '#features/limits/limit-on.ts';
import { insertMails } from '#features/outbox/queue-mails.ts';
import { sendSoon } from '#features/outbox/send-soon.ts';
import type { OwnCohort } from '#features/planning/own-cohorts.ts';

/**
 * Emails the viewer what people get, to their own address and nowhere else.
 *
 * @param cohort one of the viewer's, as the request has read it
 * @param facts what it says instead of the sample
 * @throws AppError `rate_limited`
 */
export async function sendPreview(
  ctx: ViewerContext,
  cohort: OwnCohort,
  kind: ParticipantMailKind,
  facts: Partial<Payload>,
): Promise<void> {
  const { viewer } = ctx;
  const id = crypto.randomUUID();
  const payload = {
    ...samplePayload(ctx, cohort, kind),
    ...facts,
    preview: { kind, cohort_id: cohort.id },
  };
  const limit = await limitOn(ctx, [{ limit: 'previews_per_user', subject: viewer.id }], 'refuse');
  const { mails, usage } = await ask(ctx, {
    mails: insertMails({
      id,
      kind: 'preview',
      key: `preview:${id}`,
      ownerId: ctx.ownerId,
      enrollmentId: null,
      cohortId: null,
      to: { address: viewer.email, canonical: viewer.emailCanonical },
      payload: JSON.stringify(payload),
      dueAt: ctx.now().getTime(),
      from: sql`(SELECT 1) WHERE ${limit.hasRoom}`,
    }),
    usage: limit.count(sql`EXISTS (SELECT 1 FROM mails_due m WHERE m.id = ${id})`),
  });
  if (mails.length === 0) {
    refuseFull(ctx, usage.full);
  }
  ctx.observe.log('preview_queued', { cohort: cohort.id, kind });
  sendSoon(ctx, [id]);
}
