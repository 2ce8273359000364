import 'server-only';
import { sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { ask, db } from '#db/query.ts';
import { AppError } from '#lib/app-error.ts';
import { findParticipant } from './find-participant.ts';
import { nameKeyOf } from './name-key.ts';
import { isStillValid } from './places.ts';
import type { Participant, ParticipantPatch } from './schema.ts';

/**
 * Changes the name or the language of the person of a link, or whether they get reminders.
 *
 * @throws AppError `person_link_invalid`, `rate_limited`
 */
export async function changeParticipant(
  ctx: Context,
  { link, ...patch }: ParticipantPatch,
): Promise<Participant> {
  const { participant } = await findParticipant(ctx, link);
  const { id, email, hasReminders } = participant;
  const { name = participant.name, language = participant.language } = patch;
  const { reminders = hasReminders } = patch;
  const now = ctx.now().getTime();
  const noRemindersAt = reminders ? sql`NULL` : sql`coalesce(no_reminders_at, ${now})`;
  const { changed } = await ask(ctx, {
    changed: db.all<{ id: string }>(sql`UPDATE people SET name = ${name},
        name_key = ${nameKeyOf(name)}, language = ${language}, no_reminders_at = ${noRemindersAt},
        updated_at = ${now}
      WHERE id = ${id} AND ${isStillValid(participant)} RETURNING id`),
    renamed: renameEnrollments(sql`${id}`),
  });
  if (changed.length === 0) {
    throw new AppError('person_link_invalid');
  }
  if (reminders !== hasReminders) {
    ctx.observe.log('subscription_changed', { kind: 'reminder', is_on: reminders });
  }
  return { name, email, language, reminders };
}

/** Keeps the copies of a person's name in step with it. */
export function renameEnrollments(personId: ReturnType<typeof sql>) {
  return db.run(sql`UPDATE enrollments
    SET name_key = (SELECT p.name_key FROM people p WHERE p.id = enrollments.person_id)
    WHERE person_id = ${personId}`);
}
