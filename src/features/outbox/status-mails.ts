import 'server-only';
import { type SQL, sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { query } from '#db/query.ts';
import { kindsWith, type Traits } from '#email/kinds.ts';
import { hourMs } from '#lib/time/calendar.ts';
import { kindIn } from './kind-in.ts';
import {
  enrollmentFacts,
  insertMails,
  insertText,
  lastOfMany,
  lastPaced,
  mailSpacing,
  nextMeetingFact,
  ownPayloadOf,
  payableFact,
  payloadOf,
  priceOfPlace,
  textIdOf,
} from './queue-mails.ts';

type Options = {
  /** The enrollments whose people get no email. */
  silentFor?: readonly string[] | undefined;
  /** Whether the owner has moved so many at once that all these emails are spaced. */
  isBulk?: boolean | undefined;
  /** Whether so many may come onto the waitlist that their positions are counted at once. */
  isMany?: boolean | undefined;
  /** Whether people can enroll again by themselves in cohort `c`, if places allow. */
  isOpen?: SQL | undefined;
  /** What is being refunded, as JSON; null if nothing is. */
  refund?: SQL | undefined;
};

/**
 * Writes the emails about everything that this batch has changed in cohorts: what an enrollment has
 * become at this very moment. Their keys are made of it, so that no one gets one twice.
 *
 * @param now the time that was written as that moment
 * @returns reads the ids of those to send at once
 */
export function queueStatusMails(
  ctx: Context,
  now: number,
  cohortIds: readonly string[],
  { silentFor = [], isBulk = false, isMany = isBulk, ...facts }: Options = {},
) {
  const changed = sql`(SELECT e.*, ${cameFrom} AS came_from, ${movedFrom} AS moved_from
    FROM enrollments e
    WHERE e.cohort_id IN (SELECT value FROM json_each(${JSON.stringify(cohortIds)}))
      AND e.status_changed_at = ${now}
      AND e.id NOT IN (SELECT value FROM json_each(${JSON.stringify(silentFor)}))) e`;
  const lasts = sql`(e.expires_at - e.status_changed_at)`;
  const text = isBulk ? crypto.randomUUID() : null;
  const isSpaced = ({ spaced }: Traits) => spaced === 'always' || (isBulk && spaced === 'in_bulk');
  const isPaced = kindIn('e', isSpaced);
  const afterOthers = isBulk
    ? sql`(row_number() OVER (PARTITION BY e.owner_id, ${isPaced} ORDER BY e.name_key) - 1)
        * ${mailSpacing(ctx)}`
    : sql`0`;
  const remindAt = sql`CASE e.kind
    WHEN 'invitation_reminder' THEN e.expires_at - ${72 * hourMs} + ${afterOthers}
    ELSE e.expires_at - max(${3 * hourMs}, ${lasts} / 4) END`;
  return query(
    {
      text:
        text === null
          ? undefined
          : insertText(
              text,
              now,
              sql`c.id IN (SELECT value FROM json_each(${JSON.stringify(cohortIds)}))
          AND EXISTS (SELECT 1 FROM enrollments e WHERE e.cohort_id = c.id AND e.status_changed_at = ${now})`,
            ),
      now: insertStatusMails(
        sql`(SELECT e.*, ${kindNow} AS kind FROM ${changed}) e`,
        sql`CASE WHEN ${isPaced} THEN max(${now}, ${lastPaced(kindsWith(isSpaced))} + ${mailSpacing(ctx)})
          + ${afterOthers} ELSE ${now} END`,
        {
          queue: isMany ? queueOf(cohortIds) : null,
          text,
          payable: payableFact(ctx, sql`${now}`),
          ...facts,
        },
      ),
      later: insertStatusMails(
        sql`(SELECT e.*, CASE
            WHEN e.status = 'offered' AND ${lasts} >= ${12 * hourMs} THEN 'offer_expiring'
            WHEN e.status = 'invited' AND ${lasts} >= ${96 * hourMs} THEN 'invitation_reminder'
          END AS kind FROM ${changed}) e`,
        remindAt,
        // An early price may be over by then.
        { queue: null, text, payable: payableFact(ctx, remindAt) },
      ),
    },
    ({ now: mails }) => mails.filter(({ due_at }) => due_at <= now).map(({ id }) => id),
  );
}

/** What enrollment `e` was before its last change; null if it began with it. */
const cameFrom = lastEvent(sql`v.from_status`);

/** The cohort from which enrollment `e` was moved by its last change; null for any other. */
const movedFrom = lastEvent(sql`v.moved_from`);

function lastEvent(what: SQL): SQL {
  return sql`(SELECT ${what} FROM enrollment_events v
    WHERE v.owner_id = e.owner_id AND v.enrollment_id = e.id ORDER BY v.id DESC LIMIT 1)`;
}

/** Which email says what enrollment `e` has become; null for none. */
const kindNow = sql`CASE
  WHEN e.status = 'enrolled' AND e.moved_from IS NOT NULL THEN 'transferred'
  WHEN e.status = 'enrolled' AND e.changed_by = 'owner'
    AND coalesce(e.came_from, 'left') IN ('left', 'declined', 'refused', 'expired', 'removed')
    THEN 'added'
  WHEN e.status = 'offered' THEN CASE WHEN e.held_for IS NULL THEN 'offer' ELSE 'place_held' END
  WHEN e.status = 'invited' THEN 'invitation'
  WHEN e.status = 'expired' AND e.came_from = 'offered' THEN 'offer_expired'
  WHEN e.status = 'left' AND e.changed_by = 'owner' THEN 'left_by_owner'
  WHEN e.status IN ('enrolled', 'applied', 'refused', 'waitlisted', 'removed', 'left')
    THEN e.status
END`;

/** Counted for one, or for many at once by numbering all who wait. */
const position = {
  ofOne: sql`(SELECT count(*) FROM enrollments w
    WHERE w.cohort_id = e.cohort_id AND w.status = 'waitlisted' AND w.queue_no <= e.queue_no)`,
  ofMany: sql`queue.position`,
};

function queueOf(cohortIds: readonly string[]): SQL {
  return sql`LEFT JOIN (SELECT w.id,
      row_number() OVER (PARTITION BY w.cohort_id ORDER BY w.queue_no) AS position
    FROM enrollments w WHERE w.status = 'waitlisted'
      AND w.cohort_id IN (SELECT value FROM json_each(${JSON.stringify(cohortIds)})))
    queue ON queue.id = e.id`;
}

/** The first live session that who has a place can come to. */
const nextMeetingOfPlace = sql`CASE WHEN e.status = 'enrolled'
  THEN ${nextMeetingFact(sql`e.status_changed_at`)} END`;

type Rest = Pick<Options, 'isOpen' | 'refund'> & {
  queue: SQL | null;
  text: string | null;
  payable: SQL;
};

/** Emails about enrollments `e`, of which each says its `kind`; null for none. */
function insertStatusMails(enrollments: SQL, dueAt: SQL, rest: Rest) {
  const { queue, text, payable, refund, isOpen } = rest;
  const enrollment = enrollmentFacts(queue === null ? position.ofOne : position.ofMany, isOpen);
  const facts = {
    enrollment,
    price: priceOfPlace,
    payable,
    refund,
    nextMeeting: nextMeetingOfPlace,
  };
  return insertMails({
    kind: sql`e.kind`,
    key: sql`e.kind || ':' || e.id || ':' || e.status_changed_at`,
    ...(text === null
      ? { payload: payloadOf(facts) }
      : { payload: ownPayloadOf(facts), textId: textIdOf(text) }),
    dueAt,
    from: sql`${enrollments} JOIN people p ON p.id = e.person_id
      JOIN cohorts c ON c.id = e.cohort_id
      JOIN courses k ON k.id = c.course_id JOIN users u ON u.id = e.owner_id
      ${queue ?? sql``}
      WHERE e.kind IS NOT NULL AND c.deleted_at IS NULL AND c.archived_at IS NULL`,
  });
}

/** Writes the email that says that someone was added, for readers of messages that wait for it. */
export function insertIntroductions(ctx: Context, now: number, messageIds: readonly string[]) {
  const spacing = mailSpacing(ctx);
  return insertMails({
    kind: 'added',
    key: sql`'told:' || p.id || ':' || p.link_version`,
    payload: payloadOf({
      enrollment: enrollmentFacts(sql`NULL`),
      price: priceOfPlace,
      nextMeeting: nextMeetingOfPlace,
    }),
    dueAt: sql`max(${now}, ${lastOfMany()} + ${spacing})
      + (row_number() OVER (PARTITION BY e.owner_id ORDER BY e.id) - 1) * ${spacing}`,
    isRevived: true,
    from: sql`json_each(${JSON.stringify(messageIds)}) AS messages
      JOIN mails_due m ON m.id = messages.value
      JOIN (SELECT e.*, ${movedFrom} AS moved_from FROM enrollments e) e ON e.id = m.enrollment_id
      JOIN people p ON p.id = e.person_id JOIN cohorts c ON c.id = e.cohort_id
      JOIN courses k ON k.id = c.course_id JOIN users u ON u.id = e.owner_id
      WHERE true`,
  });
}
