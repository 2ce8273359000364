import 'server-only';
import { paths, webhookPaths } from '#paths.ts';

/** Paths without a session: no cookie is read or set. All other paths have one. */
const publicPaths: ReadonlySet<string> = new Set([
  ...[paths.terms, paths.privacy].flatMap((path) => [path, `/RSC/R${path}.txt`]),
  ...Object.values(webhookPaths),
]);

export function isPublic(path: string): boolean {
  return publicPaths.has(path) || isCohortPage(path);
}

/** Whether a path is that of a cohort's page or of its preview, whose links choose a language. */
export function hasLanguageInAddress(path: string): boolean {
  return isCohortPage(path) || /^\/(RSC\/R\/)?cohorts\/[^/]+\/preview(\.txt)?$/.test(path);
}

/** Whether a path is that of a cohort's public page or of its payload; see cohort-pages.ts. */
export function isCohortPage(path: string): boolean {
  return /^\/(RSC\/R\/)?c\/[^/]+$/.test(path);
}
