import 'server-only';
import { type SQL, sql } from 'drizzle-orm';
import { kindsWith, type Traits } from '#email/kinds.ts';

/**
 * Whether the kind of an email has such traits. The kinds are literals, because D1 limits the
 * parameters of a statement.
 *
 * @param mail the table of the email in the statement
 */
export function kindIn(mail: string, hasTrait: (traits: Traits) => boolean): SQL<0 | 1> {
  const kinds = kindsWith(hasTrait).map((kind) => `'${kind}'`);
  return sql.raw(`(${mail}.kind IN (${kinds.join(', ')}))`) as SQL<0 | 1>;
}
