import 'server-only';
import { and, eq, sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { ask, db } from '#db/query.ts';
import { people } from '#db/schema/people.ts';
import { isStillValid } from '#features/places/places.ts';
import { AppError } from '#lib/app-error.ts';
import { nameKeyOf } from '#lib/text.ts';
import { findParticipant } from './find-participant.ts';
import type { ParticipantDetails, ParticipantPatch } from './schema.ts';

/**
 * Changes the name or the language of the person of a link, or whether they get reminders; or notes
 * that they take part.
 *
 * @throws AppError `person_link_invalid`, `rate_limited`
 */
export async function changeParticipant(
  ctx: Context,
  { link, ...patch }: ParticipantPatch,
): Promise<ParticipantDetails> {
  const { participant } = await findParticipant(ctx, link);
  const { id, email, hasReminders } = participant;
  const { name, language, reminders: getsReminders, takes_part: takesPart } = patch;
  const now = ctx.now();
  const {
    rows: [person],
  } = await ask(ctx, {
    rows: db
      .update(people)
      // Only what was given: the rest may have changed meanwhile, for example by unsubscribing.
      .set({
        name,
        nameKey: name && nameKeyOf(name),
        language,
        ...(getsReminders !== undefined && {
          noRemindersAt: getsReminders ? null : sql`coalesce(no_reminders_at, ${now.getTime()})`,
        }),
        ...(takesPart && { agreedAt: now }),
        updatedAt: now,
      })
      .where(and(eq(people.id, id), isStillValid(participant)))
      .returning(),
    renamed: name === undefined ? undefined : renameEnrollments(id),
  });
  if (person === undefined) {
    throw new AppError('person_link_invalid');
  }
  const reminders = person.noRemindersAt === null;
  if (reminders !== hasReminders) {
    ctx.observe.log('subscription_changed', { kind: 'reminder', is_on: reminders });
  }
  return { name: person.name, email, language: person.language, reminders };
}

/** Keeps the copies of a person's name in step with it. */
export function renameEnrollments(personId: string) {
  return db.run(sql`UPDATE enrollments
    SET name_key = (SELECT p.name_key FROM people p WHERE p.id = enrollments.person_id)
    WHERE person_id = ${personId}`);
}
