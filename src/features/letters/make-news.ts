import 'server-only';
import { sql } from 'drizzle-orm';
import type { Context } from '#context.ts';
import { ask, db } from '#db/query.ts';
import type { Locale } from '#db/values.ts';
import { insertMails } from '#features/outbox/queue-mails.ts';
import { inSteps } from '#lib/in-steps.ts';
import { addDays, type Day, wallTimeOn } from '#lib/time/calendar.ts';
import { isZone } from '#lib/time/zones.ts';

/** Limits one batch. */
const chunkRows = 100;

/** When owners read their news, by the clocks of their newest cohort with dates. */
const timeOfNews = '08:00';
/** Of who has none: where most who read the language are at work by then. */
const zones: Record<Locale, string> = { en: 'America/New_York', fr: 'Europe/Paris' };

type Due = {
  ownerId: string;
  since: number;
  dueAt: number;
  zone: string | null;
  language: Locale;
};

/**
 * Writes the daily news of owners in whose cohorts people joined, left, wait, asked for a place or
 * paid online, with what went back. Each owner gets one email a day, however often this runs; those without news cost nothing.
 */
export async function makeNews(ctx: Context): Promise<void> {
  const counts = { made: 0, planned: 0 };
  const isDone = await inSteps(ctx, async (now) => {
    const { due } = await ask(ctx, {
      due: db.all<Due>(sql`SELECT n.owner_id AS ownerId, n.since, n.due_at AS dueAt,
          (SELECT c.time_zone FROM cohorts c WHERE c.owner_id = n.owner_id AND c.kind = 'dated'
            AND c.created_at = (SELECT max(x.created_at) FROM cohorts x
              WHERE x.owner_id = n.owner_id AND x.kind = 'dated') LIMIT 1) AS zone, u.language
        FROM news_due n JOIN users u ON u.id = n.owner_id WHERE n.due_at <= ${now} ORDER BY n.due_at LIMIT ${chunkRows}`),
    });
    const plans = await Promise.all(due.map((one) => planOf(one, now)));
    if (plans.length > 0) {
      const { mails } = await ask(ctx, writing(plans, now));
      counts.made += mails.length;
      counts.planned += plans.filter(({ dueAt }) => dueAt > now).length;
    }
    return due.length < chunkRows;
  });
  if (counts.made > 0 || !isDone) {
    ctx.observe.log('news_made', { ...counts, is_done: isDone });
  }
}

/** When news is due, the day that it is about, which has only one email, and the next one. */
type Plan = { ownerId: string; dueAt: number; day: string; nextAt: number };

async function planOf({ ownerId, since, dueAt, zone, language }: Due, now: number): Promise<Plan> {
  const clocks = await clocksOf(zone ?? zones[language]);
  const at = dueAt > 0 ? dueAt : clocks.morningAfter(since);
  // Late news belongs to the day on which it goes out.
  return { ownerId, dueAt: at, day: clocks.dayAt(now), nextAt: clocks.morningAfter(now) };
}

/** The days and mornings of a zone; of UTC if this runtime no longer knows the zone. */
async function clocksOf(name: string) {
  const { dayAt, instantOf, nextExisting } = await import('#lib/time/instants.ts');
  const zone = isZone(name) ? name : 'UTC';
  const morningOf = (day: Day) =>
    instantOf(nextExisting(wallTimeOn(day, timeOfNews), zone), zone)?.getTime() ?? 0;
  const dayOf = (moment: number) => dayAt(new Date(moment), zone);
  return {
    dayAt: dayOf,
    /** The first time after a moment at which owners read their news. */
    morningAfter(moment: number): number {
      const today = morningOf(dayOf(moment));
      return today > moment ? today : morningOf(addDays(dayOf(moment), 1));
    },
  };
}

/** Puts off what is not due yet, and writes the emails of the rest by the present state. */
function writing(plans: Plan[], now: number) {
  const rows = sql`json_each(${JSON.stringify(plans)}) AS plan`;
  // In parentheses, because || binds as tightly.
  const ownerId = sql`(plan.value ->> 'ownerId')`;
  const isDue = sql`plan.value ->> 'dueAt' <= ${now}`;
  const key = sql`'news:' || ${ownerId} || ':' || (plan.value ->> 'day')`;
  const changed = (statuses: ReturnType<typeof sql>) => sql`(SELECT count(*) FROM enrollments e
    WHERE e.cohort_id = c.id AND e.status_changed_at >= n.since AND e.changed_by = 'person'
      AND e.status IN (${statuses}))`;
  // Of one currency, as all of a cohort.
  const online = (kind: 'payment' | 'refund') => sql`(SELECT json_object(
      'people', count(DISTINCT l.enrollment_id), 'minor', abs(sum(l.amount_minor)),
      'currency', min(l.currency))
    FROM ledger_entries l WHERE l.owner_id = n.owner_id AND l.cohort_id = c.id
      AND l.created_at >= n.since AND l.source = 'stripe' AND l.kind = ${kind}
      AND l.reverses_id IS NULL
      AND NOT EXISTS (SELECT 1 FROM ledger_entries r WHERE r.reverses_id = l.id)
    HAVING count(*) > 0)`;
  return {
    planned: db.run(sql`UPDATE news_due SET due_at = plan.value ->> 'dueAt' FROM ${rows}
      WHERE news_due.owner_id = ${ownerId} AND NOT (${isDue})`),
    mails: insertMails({
      kind: 'roster_news',
      key: sql`k.key`,
      ownerId: sql`k.id`,
      enrollmentId: null,
      cohortId: null,
      to: { address: sql`k.email`, canonical: sql`k.email_canonical` },
      payload: sql`json_object('name', k.first_name, 'language', k.language,
        'cohorts', json(k.cohorts))`,
      dueAt: now,
      from: sql`(SELECT u.*, ${key} AS key, (SELECT json_group_array(json_object('id', s.id,
            'kind', s.kind, 'name', s.name, 'joined', s.joined, 'left', s.gone, 'waiting', s.waiting,
            'asking', s.asking, 'paid', json(s.paid), 'refunded', json(s.refunded)))
          FROM (SELECT c.id, c.kind, c.name, ${changed(sql`'enrolled'`)} AS joined,
              ${changed(sql`'left'`)} AS gone, ${changed(sql`'waitlisted'`)} AS waiting,
              ${changed(sql`'applied'`)} AS asking, ${online('payment')} AS paid,
              ${online('refund')} AS refunded
            FROM cohorts c WHERE c.owner_id = n.owner_id AND c.deleted_at IS NULL) s
          WHERE s.joined + s.gone + s.waiting + s.asking > 0
            OR coalesce(s.paid, s.refunded) IS NOT NULL) AS cohorts
        FROM ${rows} JOIN news_due n ON n.owner_id = ${ownerId} JOIN users u ON u.id = n.owner_id
        WHERE ${isDue} AND u.roster_news = 1) k
      WHERE k.cohorts <> '[]'`,
    }),
    // A second time on one day waits for the next.
    again: db.run(sql`UPDATE news_due SET due_at = plan.value ->> 'nextAt' FROM ${rows}
      WHERE news_due.owner_id = ${ownerId} AND ${isDue} AND EXISTS (SELECT 1 FROM mails_due m
        WHERE m.dedupe_key = ${key} AND m.due_at <> ${now})`),
    done: db.run(sql`DELETE FROM news_due WHERE due_at <= ${now} AND owner_id IN
      (SELECT ${ownerId} FROM ${rows} WHERE ${isDue})`),
  };
}
