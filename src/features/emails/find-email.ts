import 'server-only';
import { type SQL, sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { type Given, prepared } from '#db/prepared.ts';
import { db, query } from '#db/query.ts';
import { type ParticipantMailKind, participantMailKinds } from '#email/kinds.ts';
import type { Payload, PayloadMeeting } from '#email/payload.ts';
import { findChanges } from '#features/messages/announce-changes.ts';

/** The kinds that say when the next live session is. */
const kindsWithNext: ParticipantMailKind[] = ['enrolled', 'added', 'transferred', 'starts_soon'];

/**
 * An email of one of the viewer's cohorts by its kind, with the real next session and unannounced
 * changes instead of samples. If all changes are cancellations, it is `meeting_cancelled`, as
 * `announceChanges` sends it. Null for an unknown kind.
 */
export function findEmail(cohortId: string, name: string) {
  const kind = participantMailKinds.find((one) => one === name);
  const mayBeReal = kind === 'meeting_changed' || kind === 'meeting_cancelled';
  const hasNext = kind === 'meeting_reminder' || kindsWithNext.some((one) => one === kind);
  return (ctx: Context, ownerId: SQL) =>
    query(
      {
        changes: mayBeReal ? findChanges(cohortId)(ctx, ownerId) : undefined,
        next: hasNext ? nextMeeting({ ownerId, cohortId, now: ctx.now().getTime() }) : undefined,
      },
      ({ changes = [], next: rows }): { kind: ParticipantMailKind; facts: Facts } | null => {
        if (kind === undefined) {
          return null;
        }
        const isCancelled = changes.every((change) => change.is_cancelled);
        const real = isCancelled ? 'meeting_cancelled' : 'meeting_changed';
        if (changes.length > 0 && ['meeting_changed', real].includes(kind)) {
          return { kind: real, facts: { changes } };
        }
        const next: PayloadMeeting | null = JSON.parse(rows?.[0]?.next ?? 'null');
        if (kindsWithNext.includes(kind)) {
          return { kind, facts: { next_meeting: next } };
        }
        const meeting = next && ({ ...next, id: '', starts_at: 0, which: 'day' } as const);
        return { kind, facts: kind === 'meeting_reminder' && meeting ? { meeting } : {} };
      },
    );
}

type Facts = Partial<Payload>;

const nextMeeting = prepared(({ ownerId, cohortId, now }: Given<'ownerId' | 'cohortId' | 'now'>) =>
  db.all<{ next: string }>(sql`SELECT json_object('title', g.title, 'starts_local', g.starts_local,
      'duration_minutes', g.duration_minutes, 'public_line', g.public_line,
      'place', coalesce(g.place, c.place)) AS next
    FROM cohorts c JOIN meetings g ON g.cohort_id = c.id
    WHERE c.id = ${cohortId} AND c.owner_id = ${ownerId} AND g.cancelled_at IS NULL
      AND g.starts_at >= ${now}
    ORDER BY g.starts_at, g.id LIMIT 1`),
);
