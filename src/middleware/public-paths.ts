import 'server-only';
import { serverPaths, webhookPaths } from '#paths.ts';

/** Paths without a session: no cookie is read or set. All other paths have one. */
const publicPaths: ReadonlySet<string> = new Set([
  ...[serverPaths.terms, serverPaths.privacy].flatMap((path) => [path, `/RSC/R${path}.txt`]),
  ...Object.values(webhookPaths),
]);

export function isPublic(path: string): boolean {
  return (
    publicPaths.has(path) || isParticipantPage(path) || isForParticipants(path) || isCalendar(path)
  );
}

export function isApi(path: string): boolean {
  return path.startsWith('/api/');
}

/** Whether a path of the API is for people without an account, who have no session. */
function isForParticipants(path: string): boolean {
  return /^\/api\/(public|participation|mail)\//.test(path);
}

/**
 * Whether a path is that of a participant's page or of a preview, whose links choose a language.
 */
export function hasLanguageInAddress(path: string): boolean {
  return isParticipantPage(path) || /^\/(RSC\/R\/)?cohorts\/[^/]+\/preview(\.txt)?$/.test(path);
}

/** Whether a path is that of a cohort's public page or of its payload; see cohort-pages.ts. */
function isCohortPage(path: string): boolean {
  return /^\/(RSC\/R\/)?c\/[^/]+$/.test(path);
}

/** Whether a path is that of a cohort's calendar or of a feed, whose address is a secret. */
export function isCalendar(path: string): boolean {
  return /^\/(calendar\/.*|c\/[^/]+\/calendar\.ics)$/.test(path);
}

/** Whether a path, or that of a payload, is in an email to a participant, whose key it contains. */
export function isPersonPage(path: string): boolean {
  return /^\/(RSC\/R\/)?p\/[^/]+$/.test(path);
}

/** Whether a page is for people without an account: nothing of the browser may be in it. */
export function isParticipantPage(path: string): boolean {
  return isCohortPage(path) || isPersonPage(path);
}
