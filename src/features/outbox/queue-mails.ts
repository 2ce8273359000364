import 'server-only';
import { type SQL, sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { hasAgreed, isLive } from '#db/people.ts';
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
  const text = isBulk ? crypto.randomUUID() : null;
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
      text:
        text === null
          ? undefined
          : insertText(
              text,
              now,
              sql`c.id IN (SELECT value FROM json_each(${JSON.stringify(cohortIds)}))
          AND EXISTS (SELECT 1 FROM enrollments e WHERE e.cohort_id = c.id AND e.status_changed_at = ${now})`,
            ),
      now: insertMails(
        sql`(SELECT e.*, ${kindNow} AS kind FROM ${changed}) e`,
        sql`CASE WHEN ${isPaced} THEN max(${now}, ${lastDue} + ${mailSpacing(ctx)})
          + ${afterOthers} ELSE ${now} END`,
        { queue: isMany ? queueOf(cohortIds) : null, text },
      ),
      later: insertMails(
        sql`(SELECT e.*, CASE
            WHEN e.status = 'offered' AND ${lasts} >= ${12 * hourMs} THEN 'offer_expiring'
            WHEN e.status = 'invited' AND ${lasts} >= ${96 * hourMs} THEN 'invitation_reminder'
          END AS kind FROM ${changed}) e`,
        remindAt,
        { queue: null, text },
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

/** What one email says of enrollment `e` and no other does. */
type OwnFacts = { name?: SQL; request?: SQL; before?: SQL; enrollment?: SQL; owed?: SQL };

/**
 * What the emails of enrollment `e` say, as `Payload` in email/participant-letter.ts. Nested,
 * because D1 allows a function only 32 arguments.
 */
export function payloadOf(facts: OwnFacts = {}): SQL {
  return sql`json_object(${ownFacts(facts)}, ${sharedFacts()})`;
}

/** The part of it that differs from email to email, for one with a text in `mail_texts`. */
export function ownPayloadOf(facts: OwnFacts = {}): SQL {
  return sql`json_object(${ownFacts(facts)})`;
}

function ownFacts(facts: OwnFacts): SQL {
  const none = sql`NULL`;
  return sql`'name', ${facts.name ?? sql`p.name`},
    'language', p.language,
    'person', json_object('id', p.id, 'link_version', p.link_version),
    'request', ${facts.request ?? none},
    'enrollment', ${facts.enrollment ?? none},
    'before', ${facts.before ?? none},
    'owed', ${facts.owed ?? none}`;
}

/** What all emails about cohort `c` say, as arguments of `json_object`. */
export function sharedFacts(note: SQL | string | null = null): SQL {
  return sql`'instructor', ${instructorFacts},
    'cohort', json(CASE WHEN c.id IS NOT NULL THEN ${cohortFacts} END), 'note', ${note}`;
}

type Text = {
  note?: string | null | undefined;
  /** Further facts, as arguments of `json_object` about cohort `c`. */
  more?: SQL | undefined;
};

/**
 * Writes what many emails say alike: a text for each of the cohorts `c`, before the emails that
 * name it by `textIdOf`.
 */
export function insertText(text: string, now: number, which: SQL, { note, more }: Text = {}) {
  return db.run(sql`INSERT INTO mail_texts (id, owner_id, facts, created_at)
    SELECT ${textIdOf(text)}, c.owner_id,
      json_object(${sharedFacts(note ?? null)}${more === undefined ? sql`` : sql`, ${more}`}), ${now}
    FROM cohorts c JOIN courses k ON k.id = c.course_id JOIN users u ON u.id = c.owner_id
    WHERE ${which}`);
}

/** The name of a text about cohort `c`. */
export function textIdOf(text: string): SQL {
  return sql`(${text} || ':' || c.id)`;
}

export const instructorFacts = sql`json_object('name', u.first_name || ' ' || u.last_name,
  'email', u.email)`;

export const cohortFacts = sql`json_object('id', c.id, 'name', c.name, 'course', k.name,
  'starts_on', c.starts_on, 'ends_on', c.ends_on, 'time_zone', c.time_zone, 'place', c.place,
  'welcome_note', c.welcome_note, 'price_minor', c.price_minor, 'currency', c.currency,
  'payment_note', c.payment_note, 'payment_url', c.payment_url)`;

/** How the owner has got the address of person `p`, who has not agreed yet; null for all others. */
const sourceOfUnasked = sql`CASE WHEN NOT ${hasAgreed} THEN p.source END`;

/** What the emails say of enrollment `e`, who is at a position if they wait. */
function enrollmentFacts(position: SQL): SQL {
  return sql`json_object('expires_at', e.expires_at, 'offer_hours', c.offer_hours,
    'moved_from', e.moved_from, 'since', e.status_changed_at,
    'source', ${sourceOfUnasked},
    'by_owner', e.changed_by = 'owner',
    'position', CASE WHEN e.status = 'waitlisted' THEN ${position} END)`;
}

/** What an email of an owner to person `p` says that is about no place: how to be removed. */
export function ownersFacts(now: number): SQL {
  return sql`json_object('expires_at', NULL, 'offer_hours', 0, 'position', NULL, 'since', ${now},
    'source', ${sourceOfUnasked}, 'by_owner', 1)`;
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

/** Failures after which an email may be due again: they can pass. */
export const passing = sql`('not_needed', 'not_accepted', 'suppressed')`;

/** Makes an email that failed so due again: with its present facts, and a new id. */
export const revived = sql`ON CONFLICT (dedupe_key) DO UPDATE SET id = excluded.id,
    enrollment_id = excluded.enrollment_id, cohort_id = excluded.cohort_id,
    to_address = excluded.to_address, to_canonical = excluded.to_canonical,
    payload = excluded.payload, text_id = excluded.text_id, due_at = excluded.due_at,
    failed_at = NULL, failure = NULL, attempts = 0, batch_key = NULL
  WHERE failure IN ${passing}`;

/** Writes the email that says that someone was added, for readers of messages that wait for it. */
export function insertAdded(ctx: Context, now: number, mailIds: readonly string[]) {
  const dueAt = sql`max(${now}, ${lastOfMany()} + ${mailSpacing(ctx)})
    + (row_number() OVER (PARTITION BY e.owner_id ORDER BY e.id) - 1) * ${mailSpacing(ctx)}`;
  return db.run(sql`INSERT INTO mails_due (id, dedupe_key, owner_id, enrollment_id, cohort_id,
      to_address, to_canonical, kind, payload, due_at)
    SELECT ${mailId}, 'told:' || p.id || ':' || p.link_version, e.owner_id, e.id, c.id,
      p.email, p.email_canonical, 'added', ${payloadOf({ enrollment: enrollmentFacts(sql`NULL`) })},
      ${dueAt}
    FROM json_each(${JSON.stringify(mailIds)}) AS wanted JOIN mails_due m ON m.id = wanted.value
      JOIN (SELECT e.*, ${movedFrom} AS moved_from FROM enrollments e) e ON e.id = m.enrollment_id
      JOIN people p ON p.id = e.person_id JOIN cohorts c ON c.id = e.cohort_id
      JOIN courses k ON k.id = c.course_id JOIN users u ON u.id = e.owner_id
    WHERE true
    ${revived}`);
}

/** Emails about enrollments `e`, of which each says its `kind`; null for none. */
function insertMails(
  of: SQL,
  dueAt: SQL,
  { queue, text }: { queue: SQL | null; text: string | null },
) {
  const enrollment = enrollmentFacts(queue === null ? position.ofOne : position.ofMany);
  const [payload, textId] =
    text === null
      ? [payloadOf({ enrollment }), sql`NULL`]
      : [ownPayloadOf({ enrollment }), textIdOf(text)];
  return db.all<{ id: string; due_at: number }>(sql`INSERT INTO mails_due (id, dedupe_key, owner_id,
      enrollment_id, cohort_id, to_address, to_canonical, kind, payload, text_id, due_at)
    SELECT ${mailId}, e.kind || ':' || e.id || ':' || e.status_changed_at, e.owner_id, e.id, c.id,
      p.email, p.email_canonical, e.kind, ${payload}, ${textId}, ${dueAt}
    FROM ${of} JOIN people p ON p.id = e.person_id JOIN cohorts c ON c.id = e.cohort_id
      JOIN courses k ON k.id = c.course_id JOIN users u ON u.id = e.owner_id
      ${queue ?? sql``}
    WHERE e.kind IS NOT NULL AND c.deleted_at IS NULL AND c.archived_at IS NULL
    ON CONFLICT (dedupe_key) DO NOTHING
    RETURNING id, due_at`);
}

type MoveFacts = {
  /** The dates until now, as JSON: for an email that says what has changed. */
  before?: SQL;
  nextMeeting?: Payload['next_meeting'];
  note?: string | null | undefined;
};

/**
 * Writes an email to everyone who takes part in cohorts, waits or is invited. It replaces one of
 * its kind that has not gone yet: people then read once what has changed since they were last told,
 * and nothing if that is taken back.
 *
 * @param where which cohorts `c`
 */
export function tellPeople(
  ctx: Context,
  kind: 'cohort_cancelled' | 'dates_moved',
  where: SQL,
  { before, nextMeeting, note }: MoveFacts = {},
) {
  const now = ctx.now().getTime();
  const text = crypto.randomUUID();
  const isTold = sql`c.published_at IS NOT NULL AND c.archived_at IS NULL
    AND c.ends_at > ${now} AND ${where}`;
  const isUnsent = sql`o.sent_at IS NULL AND o.failed_at IS NULL AND o.attempts = 0`;
  // Of this cohort, and since they are in it. `t` says when an email was written.
  const notices = sql`mails_due o JOIN mail_texts t ON t.id = o.text_id
    WHERE o.enrollment_id = e.id AND o.kind = ${kind} AND o.cohort_id = e.cohort_id
      AND t.created_at >= e.status_changed_at`;
  const lastTold = sql`coalesce((SELECT max(t.created_at) FROM ${notices}
    AND o.sent_at IS NOT NULL), 0)`;
  // What people know who did not get the emails about the last changes: the first of these says it.
  // With `min`, SQLite reads the other columns from the same row.
  const known =
    before &&
    sql`coalesce((SELECT CASE WHEN min(t.created_at) > 0 THEN json(o.payload ->> '$.before') END
      FROM ${notices} AND (${isUnsent} OR o.failed_at IS NOT NULL)
        AND t.created_at > ${lastTold}), ${before})`;
  const isNews =
    known === undefined
      ? sql`true`
      : sql`${known} <> json_object('starts_on', c.starts_on, 'ends_on', c.ends_on,
        'time_zone', c.time_zone)`;
  const next =
    nextMeeting == null ? undefined : sql`'next_meeting', json(${JSON.stringify(nextMeeting)})`;
  return query(
    {
      text: insertText(text, now, isTold, { note, more: next }),
      // By the act, because dates can come back.
      rows: db.all<{ id: string }>(sql`INSERT INTO mails_due (id, dedupe_key, owner_id,
          enrollment_id, cohort_id, to_address, to_canonical, kind, payload, text_id, due_at)
        SELECT ${mailId}, ${kind} || ':' || e.id || ':' || ${text}, e.owner_id, e.id, c.id, p.email,
          p.email_canonical, ${kind}, ${ownPayloadOf(known && { before: sql`json(${known})` })},
          ${textIdOf(text)}, ${now}
        FROM enrollments e JOIN people p ON p.id = e.person_id
          JOIN cohorts c ON c.id = e.cohort_id
        WHERE ${isLive} AND ${isTold} AND ${isNews}
        RETURNING id`),
      replaced: db.run(sql`DELETE FROM mails_due WHERE id IN (SELECT o.id
        FROM enrollments e JOIN cohorts c ON c.id = e.cohort_id
          JOIN mails_due o ON o.enrollment_id = e.id AND o.kind = ${kind}
        WHERE ${isLive} AND ${isTold} AND ${isUnsent} AND o.text_id IS NOT ${textIdOf(text)})`),
    },
    ({ rows }) => rows.map(({ id }) => id),
  );
}
