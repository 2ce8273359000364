import 'server-only';
import { type SQL, sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { type Given, prepared } from '#db/prepared.ts';
import { db, query } from '#db/query.ts';
import { inOrder, shownIn } from '#db/shown-lessons.ts';
import type { CohortKind } from '#db/values.ts';
import { mailKindsOf, type ParticipantMailKind, participantMailKinds } from '#email/kinds.ts';
import type { Payload, PayloadMeeting } from '#email/payload.ts';
import { findChanges } from '#features/messages/announce-changes.ts';

/** The kinds that say when the next live session is. */
const kindsWithNext: ParticipantMailKind[] = ['enrolled', 'added', 'transferred', 'starts_soon'];

/** Whether a cohort, or an open run, sends emails of a kind. */
export function isSentBy({ kind }: { kind: CohortKind }, mail: ParticipantMailKind): boolean {
  return mailKindsOf(kind).includes(mail);
}

/**
 * An email of one of the viewer's cohorts by its kind, with the real next session and unannounced
 * changes instead of samples. If all changes are cancellations, it is `meeting_cancelled`, as
 * `announceChanges` sends it. Null for an unknown kind.
 */
export function findEmail(cohortId: string, name: string) {
  const kind = participantMailKinds.find((one) => one === name);
  const mayBeReal = kind === 'meeting_changed' || kind === 'meeting_cancelled';
  const hasLessons = kind === 'lessons_released' || kind === 'nudge';
  const hasNext = kind === 'meeting_reminder' || kindsWithNext.some((one) => one === kind);
  return (ctx: Context, ownerId: SQL) =>
    query(
      {
        lessons: hasLessons ? lessonRows({ ownerId, cohortId }) : undefined,
        changes: mayBeReal ? findChanges(cohortId)(ctx, ownerId) : undefined,
        next: hasNext ? nextMeeting({ ownerId, cohortId, now: ctx.now().getTime() }) : undefined,
      },
      ({
        lessons = [],
        changes = [],
        next: rows,
      }): { kind: ParticipantMailKind; facts: Facts } | null => {
        if (kind === undefined) {
          return null;
        }
        if (lessons.length > 0) {
          return { kind, facts: factsOfLessons(lessons) };
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

type LessonRow = { section: string; isLater: 0 | 1; sectionTitle: string | null; title: string };

/** As if the first section that opens later had just opened, and someone had done one lesson. */
function factsOfLessons(lessons: LessonRow[]): Facts {
  const first = lessons.find(({ isLater }) => isLater === 1) ?? lessons[0];
  const opened = lessons.filter(({ section }) => section === first?.section);
  const next = lessons[1]?.title ?? lessons[0]?.title ?? null;
  return {
    released: {
      sections: [first?.sectionTitle ?? null],
      lessons: opened.length,
      first: first?.title ?? '',
    },
    progress: { done: lessons.length > 1 ? 1 : 0, of: lessons.length, next },
  };
}

/** The lessons that people can read at some time, in their order. */
const lessonRows = prepared(({ ownerId, cohortId }: Given<'ownerId' | 'cohortId'>) =>
  db.all<LessonRow>(sql`SELECT s.id AS section, s.title AS sectionTitle,
      s.release_days > 0 OR o.mode IS NOT NULL AS isLater, l.published_title AS title
    FROM cohorts c JOIN sections s ON s.owner_id = c.owner_id AND s.course_id = c.course_id
      JOIN lessons l ON l.owner_id = s.owner_id AND l.section_id = s.id
        AND ${shownIn(sql`c.id`)}
      LEFT JOIN cohort_sections o ON o.cohort_id = c.id AND o.section_id = s.id
    WHERE c.id = ${cohortId} AND c.owner_id = ${ownerId}
    ORDER BY ${inOrder}`),
);

const nextMeeting = prepared(({ ownerId, cohortId, now }: Given<'ownerId' | 'cohortId' | 'now'>) =>
  db.all<{ next: string }>(sql`SELECT json_object('title', g.title, 'starts_local', g.starts_local,
      'duration_minutes', g.duration_minutes, 'public_line', g.public_line,
      'place', coalesce(g.place, c.place)) AS next
    FROM cohorts c JOIN meetings g ON g.cohort_id = c.id
    WHERE c.id = ${cohortId} AND c.owner_id = ${ownerId} AND g.cancelled_at IS NULL
      AND g.starts_at >= ${now}
    ORDER BY g.starts_at, g.id LIMIT 1`),
);
