import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import type { Miniflare } from 'miniflare';
import { hueOf } from '../src/ui/brand.ts';
import type { Slot } from './document.ts';

export type Course = [name: string, courseType: 'cohort' | 'evergreen'];

type Person = {
  firstName: string;
  lastName: string;
  email: string;
  /** The first one is selected. */
  courses: Course[];
};

/** The user that is measured. */
export const ada: Person = {
  firstName: 'Ada',
  lastName: 'Lovelace',
  email: 'ada.lovelace@example.com',
  courses: [
    ['Introduction to Biology', 'cohort'],
    ['Cells & Tissues', 'evergreen'],
    ['Genetics, Spring Term', 'cohort'],
  ],
};

/**
 * The twins are made from this user's home page. Its texts appear nowhere else on the page, so that
 * each shows which row it comes from. Types and selection of the courses are those of the measured
 * user.
 */
export const model: Person = {
  firstName: 'Żżż',
  lastName: 'Øøø',
  email: 'ñññ@ðð.þþ',
  courses: [
    ['Ψψψ', 'cohort'],
    ['Ωωω', 'evergreen'],
    ['Φφφ', 'cohort'],
  ],
};

/** Where the model's page shows the rows; see twins/database.ts. The longest texts first. */
export const modelSlots: Slot[] = [
  { text: model.email, expression: 'person.email' },
  { text: 'ñññ', expression: "person.email.split('@')[0]" },
  { text: '@ðð.þþ', expression: "'@' + person.email.split('@')[1]" },
  { text: model.firstName, expression: 'person.first_name' },
  { text: model.lastName, expression: 'person.last_name' },
  { text: 'ŻØ', expression: '([...person.first_name][0] + [...person.last_name][0])' },
  ...model.courses.map(([text], index) => ({ text, expression: `courses[${index}].name` })),
  ...model.courses.map(([[letter = '']], index) => ({
    text: letter,
    expression: `[...courses[${index}].name][0]`,
  })),
];

/** A signed-in cookie, and the ids that its requests need. */
export type SignedIn = { cookie: string; courseIds: string[] };

export type Database = Awaited<ReturnType<Miniflare['getD1Database']>>;

/** Runs all migrations on an empty database. */
export async function createTables(database: Database): Promise<void> {
  for (const file of globSync('migrations/*.sql').sort()) {
    const statements = readFileSync(file, 'utf8').split('--> statement-breakpoint');
    await database.batch(statements.map((statement) => database.prepare(statement)));
  }
}

/** Of one color: the page of the model shows the same as that of the measured user. */
function createId(): string {
  const id = randomUUID();
  return hueOf(id) === 'indigo' ? id : createId();
}

/** Inserts a user as sign-up and the first courses would. */
export async function addPerson(
  database: Database,
  { firstName, lastName, email, courses }: Person,
): Promise<SignedIn> {
  const id = createId();
  const token = randomBytes(32).toString('hex');
  const tokenHash = createHash('sha256').update(token).digest('hex');
  const courseIds = courses.map(createId);
  const now = Date.now();
  await database.batch([
    database
      .prepare(
        `INSERT INTO users (id, first_name, last_name, email, email_canonical, email_verified_at, language, created_at)
        VALUES (?1, ?2, ?3, ?4, ?4, ?5, 'en', ?5)`,
      )
      .bind(id, firstName, lastName, email, now),
    ...courses.map(([name, courseType], index) =>
      database
        .prepare(
          `INSERT INTO courses (id, owner_id, name, course_type, created_at, updated_at)
          VALUES (?1, ?2, ?3, ?4, ?5, ?5)`,
        )
        .bind(courseIds[index], id, name, courseType, now + index),
    ),
    database
      .prepare('UPDATE users SET selected_course_id = ?1 WHERE id = ?2')
      .bind(courseIds[0], id),
    database
      .prepare(
        `INSERT INTO sessions (id, token_hash, user_id, user_agent, created_at, last_seen_at)
        VALUES (?1, ?2, ?3, 'the bench', ?4, ?4)`,
      )
      .bind(randomUUID(), tokenHash, id, now),
  ]);
  return { cookie: `__Host-session=${token}`, courseIds };
}
