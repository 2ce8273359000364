import { eq } from 'drizzle-orm';
import { enrollments, people } from '#db/schema/people.ts';
import type { ImportResult } from '#features/lists/schema.ts';
import { settled } from '#support/background.ts';
import type { Client } from '#support/client.ts';
import { db, uniqueEmail } from '#support/factories.ts';
import { createOwner as createPlainOwner } from '../places/support.ts';

type Options = Parameters<Client['post']>[2];

/** An instructor with a published cohort, and the lists that they import into it. */
export async function createOwner(values: Parameters<typeof createPlainOwner>[0] = {}) {
  const owner = await createPlainOwner(values);
  return { ...owner, ...listsOf(owner.client, owner.cohort.id) };
}

/** What an instructor does with lists of a cohort. */
export function listsOf(client: Client, cohortId: string) {
  const base = `/api/cohorts/${cohortId}/`;
  const importList = async (input: object, options: Options = {}) => {
    const list = { as: 'invited', informed: true, ...input };
    const response = await client.post(`${base}imports/`, list, options);
    await settled();
    const body = await response.json<ImportResult & { code: string; message: string }>();
    return { status: response.status, body };
  };
  return {
    importList,
    preview: (input: object, options: Options = {}) =>
      importList({ dry_run: true, ...input }, options),
    exported: (query = '', options: Options = {}) =>
      client.get(`${base}roster.csv${query}`, options),
  };
}

/** The lines that the result says something about, in short. */
export function said({ lines }: ImportResult): string[] {
  return lines.map(({ line, verdict, status }) => [line, verdict, status ?? '-'].join(' '));
}

const names = ['Anna', 'Béla', 'Chloé', 'Dora', 'Émile', 'Fanny', 'Gaël', 'Hugo'];

/** A list of this many people. */
export function listOf(count: number) {
  const addresses = Array.from({ length: count }, () => uniqueEmail());
  const lines = addresses.map((address, index) => `${names[index % names.length]} B,${address}`);
  return { addresses, text: ['name,email', ...lines].join('\n') };
}

/** The people of a cohort by name, each with their status. */
export async function statusesIn(cohortId: string): Promise<string[]> {
  const rows = await db
    .select({ name: people.name, status: enrollments.status, over: enrollments.overCapacity })
    .from(enrollments)
    .innerJoin(people, eq(people.id, enrollments.personId))
    .where(eq(enrollments.cohortId, cohortId))
    .orderBy(enrollments.nameKey);
  return rows.map(({ name, status, over }) => `${name} ${status}${over ? ' over' : ''}`);
}
