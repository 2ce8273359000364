import 'server-only';
import { sql } from 'drizzle-orm';
import { ask, db } from '#db/query.ts';
import type { ParticipantMailKind } from '#db/values.ts';
import type { ViewerContext } from '#features/identity/find-actor.ts';
import { samplePayload } from '#features/letters/sample.ts';
import { limitOn, refuseFull } from '#features/limits/limit-on.ts';
import { sendSoon } from '#features/outbox/send-soon.ts';
import type { OwnCohort } from '#features/planning/find-own-cohort.ts';

/**
 * Emails the viewer what people get, to their own address and nowhere else.
 *
 * @param cohort one of the viewer's, as the request has read it
 * @throws AppError `rate_limited`
 */
export async function sendPreview(
  ctx: ViewerContext,
  cohort: OwnCohort,
  kind: ParticipantMailKind,
): Promise<void> {
  const { viewer } = ctx;
  const now = ctx.now();
  const id = crypto.randomUUID();
  const payload = {
    ...(await samplePayload(cohort, viewer, kind, now)),
    preview: { kind, cohort_id: cohort.id },
  };
  const limit = await limitOn(ctx, [{ limit: 'previews_per_user', subject: viewer.id }], 'refuse');
  const { queued, usage } = await ask(ctx, {
    queued: db.all<{ id: string }>(sql`INSERT INTO mails_due (id, dedupe_key, owner_id, to_address,
        to_canonical, kind, payload, due_at)
      SELECT ${id}, ${`preview:${id}`}, ${ctx.ownerId}, ${viewer.email}, ${viewer.emailCanonical},
        'preview', ${JSON.stringify(payload)}, ${now.getTime()}
      WHERE ${limit.hasRoom} RETURNING id`),
    usage: limit.count(sql`EXISTS (SELECT 1 FROM mails_due m WHERE m.id = ${id})`),
  });
  if (queued.length === 0) {
    refuseFull(ctx, usage.full);
  }
  ctx.observe.log('preview_queued', { cohort: cohort.id, kind });
  sendSoon(ctx, [id]);
}
