import 'server-only';
import { and, desc, eq, type SQL, sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { type Given, prepared } from '#db/prepared.ts';
import { db, query } from '#db/query.ts';
import { cohorts } from '#db/schema/cohorts.ts';
import { groupMessages } from '#db/schema/messages.ts';
import { mailKindsOf, type ParticipantMailKind, participantMailKinds } from '#email/kinds.ts';
import { isOwn } from '#features/cohorts/get-cohort.ts';
import { isStillNeeded, mailsWithFacts } from '#features/letters/is-still-needed.ts';
import { latestMs } from '#features/letters/make-reminders.ts';
import { isUnannounced } from '#features/meetings/announcements.ts';
import { meetingsMark } from '#features/meetings/movable-meetings.ts';
import { isPaused } from '#features/outbox/standing.ts';
import { ofKind } from '#features/places/find-standings.ts';
import { hourMs } from '#lib/time/calendar.ts';
import { toJson } from '#lib/to-json.ts';
import { switches } from './change-switches.ts';
import { type CohortEmails, GroupMessage } from './schema.ts';

const shownReturns = 50;

const shownMessages = 20;

/** Of an open run, so many emails of a kind are counted: it may send thousands. */
export const countedMails = 500;

/** On the page of the cohort, where what is being sent now is no news. */
const shownNext = 2;
const nextFromMs = 3 * 60 * 1000;

type SentRow = { kind: ParticipantMailKind; count: number; at: number };
type DueRow = SentRow & { session: string | null };
type ReturnRow = Omit<CohortEmails['returned'][number], 'at'> & { at: number };

/** What one of the viewer's cohorts has sent and will send; null if there is no such cohort. */
export function findEmails(cohortId: string) {
  return (ctx: Context, ownerId: SQL) => {
    const own = { cohortId, ownerId };
    const at = { ...own, now: ctx.now() };
    return query(
      {
        rows: cohortRow(at),
        sent: sentMails(own),
        sentByRun: sentByRun(own),
        due: dueMails({ ...at, after: 0 }),
        dueInRun: dueInRun(at),
        coming: comingReminders(at),
        late: lateMails(own),
        messages: latestMessages(own),
        returns: returnedMails(own),
      },
      ({ rows: [row], due, dueInRun, coming, sent, sentByRun, ...rest }): CohortEmails | null => {
        if (row === undefined) {
          return null;
        }
        const { unannounced, ...state } = row;
        return {
          ...state,
          due: inOrder(due, dueInRun, coming),
          sent: toSent([...sent, ...sentByRun]),
          late: toSent(rest.late),
          unannounced,
          messages: rest.messages.map((row) => toJson(GroupMessage, row)),
          returned: rest.returns.map((mail) => ({ ...mail, at: isoOf(mail.at) })),
        };
      },
    );
  };
}

/** The few that go out next, for the page of the cohort. */
export function findNextEmails(cohortId: string) {
  return (ctx: Context, ownerId: SQL) => {
    const at = { cohortId, ownerId, now: ctx.now() };
    return query(
      {
        due: dueMails({ ...at, after: at.now.getTime() + nextFromMs }),
        coming: comingReminders(at),
      },
      ({ due, coming }) => inOrder(due, coming).slice(0, shownNext),
    );
  };
}

type Own = 'cohortId' | 'ownerId';

const cohortRow = prepared(({ cohortId, ownerId, now }: Given<Own | 'now'>) =>
  db
    .select({
      ...switches,
      has_releases: sql<boolean>`EXISTS (SELECT 1 FROM sections s
        WHERE s.owner_id = cohorts.owner_id AND s.course_id = cohorts.course_id
          AND (s.release_days > 0 OR EXISTS (SELECT 1 FROM cohort_sections o
            WHERE o.cohort_id = cohorts.id AND o.section_id = s.id)))`
        .mapWith(Boolean)
        .as('has_releases'),
      is_paused: isPaused(ownerId).mapWith(Boolean).as('is_paused'),
      unannounced: sql<number>`(SELECT count(*) FROM meetings m WHERE m.cohort_id = cohorts.id
        AND ${isUnannounced(now, { meeting: 'm', cohort: 'cohorts' })})`.as('unannounced'),
      schedule_mark: sql<string>`${meetingsMark(sql`cohorts.id`)}`.as('schedule_mark'),
    })
    .from(cohorts)
    .where(isOwn(ownerId, cohortId)),
);

// The index alone counts what was sent, and leads to the rest.
const sentMails = prepared((own: Given<Own>) =>
  db.all<SentRow>(sql`SELECT m.kind, count(*) AS count, max(m.sent_at) AS at
    FROM mails_due m WHERE m.cohort_id = ${ofKind({ kind: 'dated', ...own })}
      AND m.sent_at IS NOT NULL GROUP BY m.kind`),
);

/** As rows `w`, what an open run sends. */
const kindsOfRun = sql.raw(`json_each('${JSON.stringify(mailKindsOf('open'))}')`);

/** Of the last ones of each kind. */
const sentByRun = prepared((own: Given<Own>) =>
  db.all<SentRow>(sql`SELECT w.value AS kind, count(*) AS count, max(y.value) AS at
    FROM ${kindsOfRun} w JOIN json_each((SELECT json_group_array(x.sent_at)
      FROM (SELECT m.sent_at FROM mails_due m
        WHERE m.cohort_id = ${ofKind({ kind: 'open', ...own })} AND m.kind = w.value
        ORDER BY m.rowid DESC LIMIT ${countedMails}) x)) y
    WHERE y.value IS NOT NULL GROUP BY w.value`),
);

/** What will go out, as things stand, of what is due after a moment. */
const dueMails = prepared(({ now, after, ...own }: Given<Own | 'now' | 'after'>) =>
  db.all<DueRow>(sql`SELECT m.kind, NULL AS session, count(*) AS count, min(m.due_at) AS at
    FROM ${mailsWithFacts}
    WHERE ${isOwnMail(own)} AND m.sent_at IS NULL AND m.failed_at IS NULL
      AND m.due_at > ${after} AND ${isStillNeeded(now)}
      AND m.cohort_id = ${ofKind({ kind: 'dated', ...own })}
    GROUP BY m.kind`),
);

const hour = sql.raw(String(hourMs));

/** The same of an open run: the next ones of each kind, by the order in which they are due. */
const dueInRun = prepared(({ now, ...own }: Given<Own | 'now'>) =>
  db.all<DueRow>(sql`SELECT m.kind, NULL AS session, count(*) AS count, min(m.due_at) AS at
    FROM ${mailsWithFacts}
    WHERE m.id IN (SELECT y.value FROM ${kindsOfRun} w JOIN json_each((SELECT json_group_array(x.id)
        FROM (SELECT d.id FROM mails_due d WHERE d.owner_id = ${own.ownerId} AND d.kind = w.value
          AND d.due_at > ${now} - ${hour} AND d.cohort_id = ${ofKind({ kind: 'open', ...own })}
          AND d.sent_at IS NULL AND d.failed_at IS NULL
          ORDER BY d.due_at LIMIT ${countedMails}) x)) y)
      AND ${isStillNeeded(now)}
    GROUP BY m.kind`),
);

const lateMails = prepared((own: Given<Own>) =>
  db.all<SentRow>(sql`SELECT m.kind, count(*) AS count, max(m.failed_at) AS at
    FROM mails_due m WHERE ${isOwnMail(own)} AND m.failure = 'late' AND m.failure <> 'not_needed'
    GROUP BY m.kind`),
);

const latestMessages = prepared(({ cohortId, ownerId }: Given<Own>) =>
  db
    .select()
    .from(groupMessages)
    .where(and(eq(groupMessages.ownerId, ownerId), eq(groupMessages.cohortId, cohortId)))
    .orderBy(desc(groupMessages.createdAt))
    .limit(shownMessages),
);

const returnedMails = prepared((own: Given<Own>) =>
  db.all<ReturnRow>(sql`SELECT m.kind, m.to_address AS email, p.name,
      ${reason} AS reason, m.enrollment_id,
      coalesce(m.complained_at, m.bounced_at, m.failed_at) AS at
    FROM mails_due m LEFT JOIN enrollments e ON e.id = m.enrollment_id
      LEFT JOIN people p ON p.id = e.person_id
    WHERE ${isOwnMail(own)} AND ${isOnList} AND m.failure IS NOT 'late'
      AND (m.failure <> 'not_needed' OR m.bounced_at IS NOT NULL
        OR m.complained_at IS NOT NULL)
    ORDER BY m.due_at DESC LIMIT ${shownReturns}`),
);

/** With a plus, so that SQLite searches by the cohort, and not all emails of the owner. */
function isOwnMail({ cohortId, ownerId }: Given<Own>): SQL {
  return sql`m.cohort_id = ${cohortId} AND +m.owner_id = ${ownerId}`;
}

/** Reminders that the clock will write, unless what they are about moves: see make-reminders.ts. */
const comingReminders = prepared(({ cohortId, ownerId, now }: Given<Own | 'now'>) => {
  const own = sql`c.id = ${cohortId} AND c.owner_id = ${ownerId} AND c.published_at IS NOT NULL
    AND c.deleted_at IS NULL AND c.archived_at IS NULL`;
  const ofSessions = (before: number, wants: SQL, marker: SQL) => sql`
    SELECT 'meeting_reminder', g.starts_at - ${before}, g.title
    FROM cohorts c JOIN meetings g ON g.cohort_id = c.id
    WHERE ${own} AND ${wants} = 1 AND g.cancelled_at IS NULL AND ${marker} IS NOT g.starts_at
      AND g.starts_at > ${now} AND g.starts_at - ${before} > ${now} - ${latestMs}`;
  return db.all<DueRow>(sql`SELECT coming.*, readers.count
    FROM (SELECT 'starts_soon' AS kind, c.start_reminder_at AS at, NULL AS session
      FROM cohorts c WHERE ${own} AND c.reminds_start = 1
        AND c.start_reminded_on IS NOT c.starts_on AND c.start_reminder_at > ${now} - ${latestMs}
      UNION ALL ${ofSessions(24 * hourMs, sql`c.reminds_day_before`, sql`g.reminded_day_for`)}
      UNION ALL ${ofSessions(hourMs, sql`c.reminds_hour_before`, sql`g.reminded_hour_for`)}) coming,
    (SELECT count(*) AS count FROM enrollments e JOIN people p ON p.id = e.person_id
      WHERE e.cohort_id = ${ofKind({ kind: 'dated', cohortId, ownerId })} AND e.status = 'enrolled'
        AND p.no_reminders_at IS NULL) readers
    WHERE readers.count > 0`);
});

/** Whether the owner may see whom email `m` was to: not who only waited for enrollment to open. */
const isOnList = sql`m.kind <> 'enrollment_open'`;

/** Why email `m` has not arrived; null if it has, or if there was nothing to say any more. */
const reason = sql`CASE WHEN m.complained_at IS NOT NULL THEN 'complained'
  WHEN m.bounced_at IS NOT NULL THEN 'bounced'
  WHEN m.failure IN ('suppressed', 'unwelcome') THEN m.failure
  WHEN m.failure <> 'not_needed' THEN 'failed' END`;

function inOrder(...lists: DueRow[][]): CohortEmails['due'] {
  return lists
    .flat()
    .map(({ at, ...mail }) => ({ ...mail, next_at: isoOf(at) }))
    .toSorted((one, other) => one.next_at.localeCompare(other.next_at));
}

function toSent(rows: SentRow[]): CohortEmails['sent'] {
  const places = participantMailKinds;
  return rows
    .toSorted((one, other) => places.indexOf(one.kind) - places.indexOf(other.kind))
    .map(({ kind, count, at }) => ({ kind, count, last_at: isoOf(at) }));
}

function isoOf(time: number): string {
  return new Date(time).toISOString();
}
