import 'server-only';
import { sql } from 'drizzle-orm';
import { type Given, prepared } from '#db/prepared.ts';
import { db } from '#db/query.ts';

/** What everyone may know of a session who may see its cohort: not where it meets online. */
export type PublicMeeting = {
  id: string;
  title: string;
  startsLocal: string;
  /** Milliseconds since 1970. */
  startsAt: number;
  durationMinutes: number;
  place: string | null;
  publicLine: string | null;
  isCancelled: 0 | 1;
};

const publicColumns = sql`m.id, m.title, m.starts_local AS startsLocal, m.starts_at AS startsAt,
  m.duration_minutes AS durationMinutes, m.place, m.public_line AS publicLine, m.cancelled_at IS NOT NULL AS isCancelled`;

/**
 * The sessions of the `cohorts` for which a condition holds, by time; not those that were canceled
 * on what is now a day off, which is shown instead.
 */
export const publicMeetings = prepared(({ where }: Given<'where'>) =>
  db.all<PublicMeeting>(sql`SELECT ${publicColumns}
    FROM cohorts JOIN meetings m ON m.cohort_id = cohorts.id WHERE ${where}
      AND (m.cancelled_at IS NULL OR NOT EXISTS (SELECT 1 FROM days_off d
        WHERE d.cohort_id = m.cohort_id AND d.on_date = substr(m.starts_local, 1, 10)))
    ORDER BY m.starts_at, m.id`),
);

/** A day on which a cohort would meet and doesn't. */
export type PublicDayOff = {
  on_date: string;
  /** Empty without one. */
  reason: string;
};

/** The days off of the `cohorts` for which a condition holds, in order. */
export const publicDaysOff = prepared(({ where }: Given<'where'>) =>
  db.all<PublicDayOff>(sql`SELECT d.on_date, d.reason
    FROM cohorts JOIN days_off d ON d.cohort_id = cohorts.id WHERE ${where}
    ORDER BY d.on_date`),
);

/** A session for someone whose cohort it is. */
export type OwnMeeting = PublicMeeting & {
  enrollmentId: string;
  /** Both null unless they are enrolled. */
  joinUrl: string | null;
  note: string | null;
};

/**
 * The sessions of all cohorts in which a person takes part, or may, by time. Where
 * they meet online is for enrolled people only.
 */
export const meetingsOfPerson = prepared(({ personId }: Given<'personId'>) => {
  const isIn = sql`e.status = 'enrolled'`;
  return db.all<OwnMeeting>(sql`SELECT ${publicColumns}, e.id AS enrollmentId,
      CASE WHEN ${isIn} THEN coalesce(m.join_url, c.join_url) END AS joinUrl,
      CASE WHEN ${isIn} THEN m.note END AS note
    FROM enrollments e JOIN cohorts c ON c.id = e.cohort_id JOIN meetings m ON m.cohort_id = c.id
    WHERE e.person_id = ${personId} AND c.deleted_at IS NULL
      AND e.status IN ('enrolled', 'offered', 'waitlisted', 'invited', 'applied')
    ORDER BY m.starts_at, m.id`);
});
