import 'server-only';
import { type SQL, sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { db, query } from '#db/query.ts';
import type { MailKind } from '#db/values.ts';
import type { Payload } from '#email/participant-letter.ts';

const hourMs = 60 * 60 * 1000;

type Options = {
  /** The enrollments whose people are not told. */
  silentFor?: readonly string[] | undefined;
  /** Whether the owner has moved so many at once that all these emails are spaced. */
  isBulk?: boolean | undefined;
  /** Whether so many may come onto the waitlist that their positions are counted at once. */
  isMany?: boolean | undefined;
};

/**
 * Writes the emails about everything that this batch has changed in cohorts: what an enrollment has
 * become at this very moment. Their keys are made of it, so that no one gets one twice.
 *
 * @param now the time that was written as that moment
 * @returns reads the ids of those to send at once
 */
export function queueMails(
  ctx: Context,
  now: number,
  cohortIds: readonly string[],
  { silentFor = [], isBulk = false, isMany = isBulk }: Options = {},
) {
  const changed = sql`(SELECT e.*, ${cameFrom} AS came_from, ${movedFrom} AS moved_from
    FROM enrollments e
    WHERE e.cohort_id IN (SELECT wanted.value FROM json_each(${JSON.stringify(cohortIds)}) AS wanted)
      AND e.status_changed_at = ${now}
      AND e.id NOT IN (SELECT value FROM json_each(${JSON.stringify(silentFor)}))) e`;
  const lasts = sql`(e.expires_at - e.status_changed_at)`;
  const paced = isBulk ? pacedKinds : pacedKinds.slice(0, 1);
  const lastDue = isBulk ? lastOfMany() : lastPaced([...paced, 'enrollment_open']);
  const isPaced = sql`e.kind IN (${listOf(paced)})`;
  const afterOthers = isBulk
    ? sql`(row_number() OVER (PARTITION BY e.owner_id, ${isPaced} ORDER BY e.name_key) - 1)
        * ${mailSpacing(ctx)}`
    : sql`0`;
  const remindAt = sql`CASE e.kind
    WHEN 'invitation_reminder' THEN e.expires_at - ${72 * hourMs} + ${afterOthers}
    ELSE e.expires_at - max(${3 * hourMs}, ${lasts} / 4) END`;
  return query(
    {
      now: insertMails(
        sql`(SELECT e.*, ${kindNow} AS kind FROM ${changed}) e`,
        sql`CASE WHEN ${isPaced} THEN max(${now}, ${lastDue} + ${mailSpacing(ctx)})
          + ${afterOthers} ELSE ${now} END`,
        isMany ? queueOf(cohortIds) : null,
      ),
      later: insertMails(
        sql`(SELECT e.*, CASE
            WHEN e.status = 'offered' AND ${lasts} >= ${12 * hourMs} THEN 'offer_expiring'
            WHEN e.status = 'invited' AND ${lasts} >= ${96 * hourMs} THEN 'invitation_reminder'
          END AS kind FROM ${changed}) e`,
        remindAt,
      ),
    },
    ({ now: written }) => written.filter(({ due_at }) => due_at <= now).map(({ id }) => id),
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
  WHEN e.status = 'enrolled' THEN 'enrolled'
  WHEN e.status = 'applied' THEN 'applied'
  WHEN e.status = 'refused' THEN 'refused'
  WHEN e.status = 'waitlisted' THEN 'waitlisted'
  WHEN e.status = 'offered' THEN 'offer'
  WHEN e.status = 'invited' THEN 'invitation'
  WHEN e.status = 'expired' AND e.came_from = 'offered' THEN 'offer_expired'
  WHEN e.status = 'removed' THEN 'removed'
  WHEN e.status = 'left' THEN 'left'
END`;

/** What an owner sends to many who have not asked for it; the first also to one alone. */
const pacedKinds: MailKind[] = ['invitation', 'added', 'waitlisted'];

/** How long one such email waits for the one before. */
export function mailSpacing({ config }: Pick<Context, 'config'>): number {
  const spaces = config.limits.bulk_mails_per_owner.map(({ count, seconds }) =>
    Math.ceil((seconds * 1000) / count),
  );
  return Math.max(0, ...spaces);
}

/** When the last email goes out that those of an import of the owner of `e` come after. */
export function lastOfMany(owner?: SQL | string): SQL {
  return lastPaced([...pacedKinds, 'enrollment_open'], owner);
}

/** When the last email of these kinds of the owner of `e` goes out; 0 without any. */
export function lastPaced(
  kinds: readonly MailKind[],
  owner: SQL | string = sql`e.owner_id`,
): SQL<number> {
  // One by one, because each is found at the end of the index.
  const lasts = kinds.map(
    (kind) => sql`coalesce((SELECT x.due_at FROM mails_due x
      WHERE x.owner_id = ${owner} AND x.kind = ${kind} ORDER BY x.due_at DESC LIMIT 1), 0)`,
  );
  return lasts.length === 1 ? sql`${lasts[0]}` : sql`max(${sql.join(lasts, sql`, `)})`;
}

function listOf(kinds: readonly MailKind[]): SQL {
  return sql.join(
    kinds.map((kind) => sql`${kind}`),
    sql`, `,
  );
}

/**
 * What the emails of enrollment `e` say, as `Payload` in email/participant-letter.ts. Nested,
 * because D1 allows a function only 32 arguments.
 */
export function payloadOf(
  facts: { name?: SQL; request?: SQL; before?: SQL; note?: SQL; enrollment?: SQL; owed?: SQL } = {},
): SQL {
  const none = sql`NULL`;
  return sql`json_object(
    'name', ${facts.name ?? sql`p.name`},
    'language', p.language,
    'instructor', ${instructorFacts},
    'cohort', json(CASE WHEN c.id IS NOT NULL THEN ${cohortFacts} END),
    'person', json_object('id', p.id, 'link_version', p.link_version),
    'request', ${facts.request ?? none},
    'enrollment', ${facts.enrollment ?? none},
    'before', ${facts.before ?? none},
    'owed', ${facts.owed ?? none},
    'note', ${facts.note ?? none})`;
}

export const instructorFacts = sql`json_object('name', u.first_name || ' ' || u.last_name,
  'email', u.email)`;

export const cohortFacts = sql`json_object('id', c.id, 'name', c.name, 'course', k.name,
  'starts_on', c.starts_on, 'ends_on', c.ends_on, 'time_zone', c.time_zone, 'place', c.place,
  'welcome_note', c.welcome_note, 'price_minor', c.price_minor, 'currency', c.currency,
  'payment_note', c.payment_note, 'payment_url', c.payment_url)`;

/** What the emails say of enrollment `e`, who is at a position if they wait. */
function enrollmentFacts(position: SQL): SQL {
  return sql`json_object('expires_at', e.expires_at, 'offer_hours', c.offer_hours,
    'moved_from', e.moved_from, 'since', e.status_changed_at,
    'source', CASE WHEN p.consented_at IS NULL THEN p.source END,
    'by_owner', e.changed_by = 'owner',
    'position', CASE WHEN e.status = 'waitlisted' THEN ${position} END)`;
}

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
      AND w.cohort_id IN (SELECT wanted.value FROM json_each(${JSON.stringify(cohortIds)}) AS wanted))
    queue ON queue.id = e.id`;
}

/** A random id as the outbox has it. */
export const mailId = sql`lower(hex(randomblob(16)))`;

/** Emails about enrollments `e`, of which each says its `kind`; null for none. */
function insertMails(of: SQL, dueAt: SQL, queue: SQL | null = null) {
  const facts = enrollmentFacts(queue === null ? position.ofOne : position.ofMany);
  return db.all<{ id: string; due_at: number }>(sql`INSERT INTO mails_due (id, dedupe_key, owner_id,
      enrollment_id, cohort_id, to_address, to_canonical, kind, payload, due_at)
    SELECT ${mailId}, e.kind || ':' || e.id || ':' || e.status_changed_at, e.owner_id, e.id, c.id,
      p.email, p.email_canonical, e.kind, ${payloadOf({ enrollment: facts })}, ${dueAt}
    FROM ${of} JOIN people p ON p.id = e.person_id JOIN cohorts c ON c.id = e.cohort_id
      JOIN courses k ON k.id = c.course_id JOIN users u ON u.id = e.owner_id
      ${queue ?? sql``}
    WHERE e.kind IS NOT NULL AND c.deleted_at IS NULL AND c.archived_at IS NULL
    ON CONFLICT (dedupe_key) DO NOTHING
    RETURNING id, due_at`);
}

type MoveFacts = {
  before?: SQL;
  nextMeeting?: Payload['next_meeting'];
  note?: string | null | undefined;
};

/**
 * Writes an email to everyone who takes part in cohorts, waits or is invited.
 *
 * @param where which enrollments `e`, people `p` and cohorts `c`
 * @param key what makes it another email than the last of its kind
 */
export function tellPeople(
  ctx: Context,
  kind: 'cohort_cancelled' | 'dates_moved',
  where: SQL,
  key: SQL,
  { before, nextMeeting, note = null }: MoveFacts = {},
) {
  const now = ctx.now().getTime();
  const told = payloadOf({ ...(before !== undefined && { before }), note: sql`${note}` });
  const payload =
    nextMeeting === undefined
      ? told
      : sql`json_set(${told}, '$.next_meeting', json(${JSON.stringify(nextMeeting)}))`;
  return query(
    {
      rows: db.all<{ id: string }>(sql`INSERT INTO mails_due (id, dedupe_key, owner_id,
          enrollment_id, cohort_id, to_address, to_canonical, kind, payload, due_at)
        SELECT ${mailId}, ${kind} || ':' || e.id || ':' || ${key}, e.owner_id, e.id, c.id, p.email,
          p.email_canonical, ${kind}, ${payload}, ${now}
        FROM enrollments e JOIN people p ON p.id = e.person_id
          JOIN cohorts c ON c.id = e.cohort_id JOIN courses k ON k.id = c.course_id
          JOIN users u ON u.id = e.owner_id
        WHERE ${isLive} AND c.published_at IS NOT NULL AND c.archived_at IS NULL
          AND c.ends_at > ${now} AND ${where}
        ON CONFLICT (dedupe_key) DO NOTHING
        RETURNING id`),
    },
    ({ rows }) => rows.map(({ id }) => id),
  );
}

/** Whether enrollment `e` is that of someone who takes part, waits or is invited. */
export const isLive = sql`e.status IN ('invited', 'applied', 'waitlisted', 'offered', 'enrolled')`;
