import 'server-only';
import { eq } from 'drizzle-orm';
import * as z from 'zod/mini';
import { ask, db, query } from '#db/query.ts';
import { users } from '#db/schema/users.ts';
import { locales } from '#db/values.ts';
import { limitOn, refuseFull } from '#features/limits/limit-on.ts';
import { requireFound } from '#lib/app-error.ts';
import { toJson } from '#lib/to-json.ts';
import { exported } from '#vocabulary.ts';
import type { ViewerContext } from './find-actor.ts';
import { requireOwnAccount } from './get-account.ts';
import { requireRecentLogin } from './require-viewer.ts';

const lists = Object.entries(exported);

/** The schemas of the features' vocabularies, by the same names. */
const schemas = Object.fromEntries(lists.map(([name, { schema }]) => [name, schema])) as {
  [Name in keyof typeof exported]: (typeof exported)[Name]['schema'];
};

/** Everything that is stored about a user. */
export const AccountExport = z
  .object({
    exported_at: z.iso.datetime(),
    account: z.object({
      id: z.uuid(),
      first_name: z.string(),
      last_name: z.string(),
      email: z.string(),
      email_canonical: z.string(),
      email_verified_at: z.nullable(z.iso.datetime()),
      language: z.enum(locales),
      roster_news: z.boolean(),
      google_sub: z.nullable(z.string()),
      avatar: z.nullable(z.string()),
      bio: z.nullable(z.string()),
      selected_course_id: z.nullable(z.uuid()),
      created_at: z.iso.datetime(),
    }),
    ...schemas,
  })
  .register(z.globalRegistry, { id: 'AccountExport' });
export type AccountExport = z.infer<typeof AccountExport>;
type Lists = Omit<AccountExport, 'exported_at' | 'account'>;

/**
 * Everything stored about the viewer except secrets: hashes of sessions, links and known sign-ins
 * are not exported. Counters are left out, because they hold only numbers under keyed hashes.
 *
 * @throws AppError `not_found`, `proof_required`, `rate_limited`
 */
export async function exportAccount(ctx: ViewerContext, id: string): Promise<AccountExport> {
  requireOwnAccount(ctx, id);
  requireRecentLogin(ctx);
  const { viewer } = ctx;
  const use = { limit: 'exports_per_user', subject: viewer.id } as const;
  const limit = await limitOn(ctx, [use], 'allow');
  const own = await ask(ctx, {
    users: db.select().from(users).where(eq(users.id, viewer.id)),
    lists: query(
      Object.fromEntries(lists.map(([name, { rows }]) => [name, rows(db, viewer)])),
      (answers) =>
        // The names and items are those of the vocabularies.
        Object.fromEntries(
          lists.map(([name, list]) => [name, list.toJson(answers[name])]),
        ) as Lists,
    ),
    usage: limit.count(),
  });
  refuseFull(ctx, own.usage.full);
  const user = requireFound(own.users[0]);
  ctx.observe.log('account_exported', { userId: viewer.id });
  return {
    exported_at: ctx.now().toISOString(),
    account: toJson(AccountExport.shape.account, { ...user, avatar: user.avatarUrl }),
    ...own.lists,
  };
}
