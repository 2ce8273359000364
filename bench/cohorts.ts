import { randomUUID } from 'node:crypto';
import type { Database, SignedIn } from './people.ts';

/**
 * Adds published cohorts to the first course, a week apart, with weekly live sessions.
 *
 * @returns the ends of their public addresses
 */
export async function addCohorts(
  database: Database,
  { courseIds }: SignedIn,
  cohorts: number,
  sessions: number,
): Promise<string[]> {
  const slugs: string[] = [];
  const now = Date.now();
  const week = 7 * 24 * 60 * 60 * 1000;
  const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10);
  for (let index = 0; index < cohorts; index += 1) {
    const id = randomUUID();
    const start = now + index * week;
    const end = start + sessions * week;
    await database.batch([
      database
        .prepare(
          `INSERT INTO cohorts (id, owner_id, course_id, name, starts_on, ends_on, time_zone,
            starts_at, ends_at, join_mode, waitlist, offer_hours, shows_minimum,
            shows_places_left, join_url, place, language, slug, published_at, created_at,
            updated_at)
          SELECT ?1, owner_id, id, ?2, ?3, ?4, 'Europe/Paris', ?5, ?6, 'open', 1, 48, 0, 1,
            'https://meet.example.com/a-room', 'Room 12', 'en', ?1, ?7, ?7, ?7
          FROM courses WHERE id = ?8`,
        )
        .bind(id, `Group ${index}`, dayOf(start), dayOf(end), start, end, now, courseIds[0]),
      ...Array.from({ length: sessions }, (_, nth) =>
        database
          .prepare(
            `INSERT INTO meetings (id, owner_id, cohort_id, title, starts_local,
              duration_minutes, starts_at, note, created_at, updated_at)
            SELECT ?1, owner_id, id, ?2, ?3, 90, ?4, 'Bring your texts.', ?5, ?5
            FROM cohorts WHERE id = ?6`,
          )
          .bind(
            randomUUID(),
            `Session ${nth + 1}`,
            `${dayOf(start + nth * week)}T18:00`,
            start + nth * week,
            now,
            id,
          ),
      ),
    ]);
    slugs.push(id);
  }
  return slugs;
}
