import 'server-only';
import type { Context } from '#context.ts';
import { sealLink } from '#lib/signed-links.ts';
import { dayMs } from '#lib/time/calendar.ts';
import { serverPaths } from '#paths.ts';

/** How long a request to enroll can be confirmed, or that someone waits for enrollment to open. */
export const confirmationLifetimeMs = dayMs;

/** The address of the page that confirms it. */
export async function confirmationAddress(
  ctx: Pick<Context, 'config'>,
  kind: 'request' | 'interest',
  link: { id: string; expiresAt: number },
): Promise<string> {
  return serverPaths.confirmation(ctx.config.appOrigin, await sealLink(ctx, kind, link));
}
