import 'server-only';
import { type SQL, sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { hasAgreed } from '#db/people.ts';
import { placePriceAt, priceAt, priceThen } from '#db/prices.ts';
import { db } from '#db/query.ts';
import { lessonCount } from '#db/shown-lessons.ts';
import { kindsWith, type OutboxKind } from '#email/kinds.ts';

type NewMails = {
  /** The rows of which each gets one: by default of enrollments `e`, people `p` and cohorts `c`. */
  from: SQL;
  kind: OutboxKind | SQL;
  /** What it is about, so that asking twice writes only one. */
  key: SQL | string;
  payload: SQL | string;
  textId?: SQL | null;
  dueAt: SQL | number;
  id?: SQL | string;
  ownerId?: SQL | string;
  enrollmentId?: SQL | null;
  cohortId?: SQL | null;
  to?: { address: SQL | string; canonical: SQL | string };
  /** Whether one that failed is due again, if that can pass: with its present facts, and a new id. */
  isRevived?: boolean;
};

/** Puts emails into the outbox, but for those that are there. */
export function insertMails({
  from,
  kind,
  key,
  payload,
  textId = null,
  dueAt,
  id = mailId,
  ownerId = sql`e.owner_id`,
  enrollmentId = sql`e.id`,
  cohortId = sql`c.id`,
  to = { address: sql`p.email`, canonical: sql`p.email_canonical` },
  isRevived = false,
}: NewMails) {
  return db.all<{ id: string; due_at: number }>(sql`INSERT INTO mails_due (id, dedupe_key, owner_id,
      enrollment_id, cohort_id, to_address, to_canonical, kind, payload, text_id, due_at)
    SELECT ${id}, ${key}, ${ownerId}, ${enrollmentId}, ${cohortId}, ${to.address}, ${to.canonical},
      ${kind}, ${payload}, ${textId}, ${dueAt}
    FROM ${from}
    ON CONFLICT (dedupe_key) ${isRevived ? revived : sql`DO NOTHING`}
    RETURNING id, due_at`);
}

/** A random id as the outbox has it. */
export const mailId = sql`lower(hex(randomblob(16)))`;

/** Failures after which an email may be due again: they can pass. */
export const passing = sql`('not_needed', 'not_accepted', 'suppressed')`;

const revived = sql`DO UPDATE SET id = excluded.id,
    enrollment_id = excluded.enrollment_id, cohort_id = excluded.cohort_id,
    to_address = excluded.to_address, to_canonical = excluded.to_canonical,
    payload = excluded.payload, text_id = excluded.text_id, due_at = excluded.due_at,
    failed_at = NULL, failure = NULL, attempts = 0, batch_key = NULL
  WHERE failure IN ${passing}`;

/** How long one such email waits for the one before. */
export function mailSpacing({ config }: Pick<Context, 'config'>): number {
  const spaces = config.limits.bulk_mails_per_owner.map(({ count, seconds }) =>
    Math.ceil((seconds * 1000) / count),
  );
  return Math.max(0, ...spaces);
}

/** When the last email goes out that those of an import of the owner of `e` come after. */
export function lastOfMany(owner?: SQL | string): SQL {
  return lastPaced(
    kindsWith(({ spaced }) => spaced !== undefined),
    owner,
  );
}

/** When the last email of these kinds of the owner of `e` goes out; 0 without any. */
export function lastPaced(
  kinds: readonly OutboxKind[],
  owner: SQL | string = sql`e.owner_id`,
): SQL<number> {
  // One by one, because each is found at the end of the index.
  const lasts = kinds.map(
    (kind) => sql`coalesce((SELECT x.due_at FROM mails_due x
      WHERE x.owner_id = ${owner} AND x.kind = ${kind} ORDER BY x.due_at DESC LIMIT 1), 0)`,
  );
  return lasts.length === 1 ? sql`${lasts[0]}` : sql`max(${sql.join(lasts, sql`, `)})`;
}

/** What one email says of enrollment `e` and no other does. */
type OwnFacts = {
  name?: SQL;
  request?: SQL;
  before?: SQL;
  enrollment?: SQL;
  owed?: SQL;
  nextMeeting?: SQL;
  receipt?: SQL;
  payment?: SQL;
  refund?: SQL | undefined;
  price?: SQL;
  payable?: SQL;
  released?: SQL;
  progress?: SQL;
};

/**
 * What the emails of enrollment `e` say, as `Payload` in email/payload.ts. Nested,
 * because D1 allows a function only 32 arguments.
 */
export function payloadOf(facts: OwnFacts = {}): SQL {
  return sql`json_object(${ownFacts(facts)}, ${sharedFacts()})`;
}

/** The part of it that differs from email to email, for one with a text in `mail_texts`. */
export function ownPayloadOf(facts: OwnFacts = {}): SQL {
  return sql`json_object(${ownFacts({ price: priceOfPlace, ...facts })})`;
}

function ownFacts({ nextMeeting, ...facts }: OwnFacts): SQL {
  const { name = sql`p.name`, request, enrollment, before, price, owed, ...others } = facts;
  const always = Object.entries({ request, enrollment, before, price, owed });
  // Absent, because a text that many share may say it.
  const some = Object.entries({ next_meeting: nextMeeting, ...others }).filter(([, fact]) => fact);
  return sql`'name', ${name}, 'language', p.language,
    'person', json_object('id', p.id, 'link_version', p.link_version), ${sql.join(
      [...always, ...some].map(([key, fact]) => sql`${sql.raw(`'${key}'`)}, ${fact ?? sql`NULL`}`),
      sql`, `,
    )}`;
}

/** A sum of the account of enrollment `e`; null without an account. */
function sumOf(column: 'balance' | 'charged'): SQL {
  return sql.raw(`(SELECT b.${column} FROM balances b
    WHERE b.enrollment_id = e.id AND b.cohort_id = e.cohort_id)`);
}

/** The price of the place of enrollment `e`, as it is on their account; null unless enrolled. */
export const priceOfPlace = sql`CASE WHEN e.status = 'enrolled'
  THEN coalesce(nullif(${sumOf('charged')}, 0), ${priceThen('e')}) END`;

/**
 * What the person of enrollment `e` has to pay in cohort `c`: what is open of the price, or what makes
 * the place that is kept for them theirs, as it is at a moment. Null for others.
 */
export function payableFact({ config }: Pick<Context, 'config'>, moment: SQL): SQL {
  const held =
    config.stripe === null
      ? sql``
      : sql`WHEN e.status = 'offered' AND c.payment_mode = 'online_first'
        THEN ${placePriceAt(sql`e.status_changed_at`, sql`e.id`, priceAt(moment))}`;
  return sql`CASE WHEN e.status = 'enrolled' THEN max(0, coalesce(${sumOf('balance')}, 0)) ${held} END`;
}

/** The first live session of cohort `c` to come after a moment; null without one. */
export function nextMeetingFact(after: SQL): SQL {
  return sql`json((SELECT json_object('title', g.title, 'starts_local', g.starts_local,
      'starts_at', g.starts_at, 'duration_minutes', g.duration_minutes, 'public_line', g.public_line)
    FROM meetings g WHERE g.cohort_id = c.id AND g.cancelled_at IS NULL
      AND g.starts_at >= ${after} ORDER BY g.starts_at, g.id LIMIT 1))`;
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
      json_object(${sharedFacts(note ?? null)}, 'written_at', ${now}${more === undefined ? sql`` : sql`, ${more}`}), ${now}
    FROM cohorts c JOIN courses k ON k.id = c.course_id JOIN users u ON u.id = c.owner_id
    WHERE ${which}`);
}

/** The name of a text about cohort `c`. */
export function textIdOf(text: string): SQL {
  return sql`(${text} || ':' || c.id)`;
}

export const instructorFacts = sql`json_object('name', u.first_name || ' ' || u.last_name,
  'email', u.email)`;

export const cohortFacts = sql`json_object('id', c.id, 'kind', c.kind, 'name', c.name, 'course', k.name,
  'course_id', k.id, 'hue', k.hue,
  'starts_on', c.starts_on, 'ends_on', c.ends_on, 'time_zone', c.time_zone, 'place', c.place,
  'welcome_note', c.welcome_note, 'price_minor', c.price_minor, 'currency', c.currency,
  'early_price_minor', c.early_price_minor, 'early_until_at', c.early_until_at,
  'payment_note', c.payment_note, 'refund_note', c.refund_note, 'payment_url', c.payment_url, 'payment_mode', c.payment_mode,
  'has_lessons', ${lessonCount} > 0)`;

/** How the owner has got the address of person `p`, who has not agreed yet; null for all others. */
const sourceOfUnasked = sql`CASE WHEN NOT ${hasAgreed} THEN p.source END`;

/**
 * What the emails say of enrollment `e`, who is at a position if they wait.
 *
 * @param isOpen whether someone who has left can enroll again by themselves
 */
export function enrollmentFacts(position: SQL, isOpen: SQL = sql`NULL`): SQL {
  return sql`json_object('expires_at', e.expires_at, 'offer_hours', c.offer_hours,
    'moved_from', e.moved_from, 'since', e.status_changed_at,
    'source', ${sourceOfUnasked},
    'by_owner', e.changed_by = 'owner', 'by_clock', e.changed_by = 'clock',
    'can_return', CASE WHEN e.status = 'left' THEN ${isOpen} END,
    'position', CASE WHEN e.status = 'waitlisted' THEN ${position} END)`;
}

/** What an email of an owner to person `p` says that is about no place: how to be removed. */
export function ownersFacts(now: number): SQL {
  return sql`json_object('expires_at', NULL, 'offer_hours', 0, 'position', NULL, 'since', ${now},
    'source', ${sourceOfUnasked}, 'by_owner', 1)`;
}
