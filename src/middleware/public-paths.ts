import 'server-only';
import { paths, webhookPaths } from '#paths.ts';

/**
 * What is answered without asking who is there: no session is read, no cookie set. Anything that is
 * not listed has a session.
 */
const publicPaths: ReadonlySet<string> = new Set([
  ...[paths.terms, paths.privacy].flatMap((path) => [path, `/RSC/R${path}.txt`]),
  ...Object.values(webhookPaths),
]);

export function isPublic(path: string): boolean {
  return publicPaths.has(path);
}
