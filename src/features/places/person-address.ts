import 'server-only';
import type { Context } from '#context.ts';
import { sealLink } from '#lib/signed-links.ts';
import { serverPaths } from '#paths.ts';

/** The address of a person's page. It ends when `linkVersion` is raised. */
export async function personAddress(
  ctx: Pick<Context, 'config'>,
  person: { id: string; linkVersion: number },
): Promise<string> {
  return serverPaths.participation(ctx.config.appOrigin, await sealLink(ctx, 'person', person));
}
