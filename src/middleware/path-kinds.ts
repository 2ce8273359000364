import 'server-only';
import { apiPaths, emailPaths, serverPaths, webhookPaths } from '#paths.ts';

/** What a kind of path needs. A page needs the same as a document and as a payload. */
type PathKind = {
  kind: 'page' | 'calendar' | 'file' | 'api';
  /** Whether cookies are read and set. Without a session, routes may let caches keep answers. */
  hasSession: boolean;
  /** Whether it is for people without an account: nothing of the browser may be in it. */
  isForParticipants: boolean;
  /** Whether the cookie of learners is read and set; see features/learning/learner-cookie.ts. */
  remembersLearners: boolean;
  /** Whether videos of other sites play in it; see response-headers.ts. */
  framesVideos: boolean;
  /** Whether its address says its language; see language.ts. */
  hasLanguage: boolean;
  /** Whether replicas may lack what it is about; see bookmark.ts. */
  readsPrimary: boolean;
  referrer: 'strict-origin-when-cross-origin' | 'strict-origin' | 'no-referrer';
  /** What shows that a write comes from our own pages; see csrf.ts. */
  csrf: 'token' | 'origin' | 'exempt';
  /** Null where the route reads and checks bodies itself; see json-bodies.ts. */
  maxBodyBytes: number | null;
  takesForms: boolean;
};

const page: PathKind = {
  kind: 'page',
  hasSession: true,
  isForParticipants: false,
  remembersLearners: false,
  framesVideos: false,
  hasLanguage: false,
  readsPrimary: false,
  referrer: 'strict-origin-when-cross-origin',
  csrf: 'token',
  // A cohort whose texts are all at their limits has up to 28 kB, by four bytes a character.
  maxBodyBytes: 32 * 1024,
  takesForms: false,
};
const api = { ...page, kind: 'api' } as const;
const publicPage = { ...page, hasSession: false };
const publicApi = { ...api, hasSession: false };
const participantPage = { ...publicPage, isForParticipants: true, hasLanguage: true };

/** In this order; all other paths are those of pages with a session. */
const kinds: Record<string, PathKind & { paths: RegExp | string[] }> = {
  legal: { ...publicPage, paths: /^\/(terms|privacy|RSC\/R\/(terms|privacy)\.txt)$/ },
  link: {
    ...page,
    paths: /^\/(RSC\/R\/)?(confirm|undo-address-change)\b/,
    readsPrimary: true,
    // Its URL contains a token. With `no-referrer`, the Origin of its POST would be `null`.
    referrer: 'strict-origin',
  },
  preview: { ...page, paths: /^\/(RSC\/R\/)?cohorts\/[^/]+\/preview(\.txt)?$/, hasLanguage: true },
  cohort: { ...participantPage, paths: /^\/(RSC\/R\/)?c\/[^/]+$/ },
  person: {
    ...participantPage,
    paths: /^\/(RSC\/R\/)?p\/[^/]+$/,
    // Without a bookmark, a replica might not know yet what was clicked there.
    readsPrimary: true,
    // Its URL contains a key. Its scripts send requests whose Origin no policy changes.
    referrer: 'no-referrer',
  },
  learner: {
    ...participantPage,
    paths: /^\/(RSC\/R\/)?learn(\/|\.txt$|$)/,
    remembersLearners: true,
    framesVideos: true,
    // Without a bookmark, a replica might not know yet what was just done.
    readsPrimary: true,
  },
  // A preview, and earlier versions.
  shownLesson: {
    ...page,
    paths: /^\/(RSC\/R\/)?lessons\/(preview(\/|\.txt$|$)|[^/]+\/versions(\.txt)?$)/,
    framesVideos: true,
  },
  calendar: { ...publicPage, paths: /^\/(calendar\/|c\/[^/]+\/calendar\.ics$)/, kind: 'calendar' },
  // Their addresses are signed, or for everyone.
  file: { ...publicPage, paths: /^\/(files|pictures)\//, kind: 'file' },
  // Passed on to R2 while it comes in.
  filePart: {
    ...api,
    paths: /^\/api\/courses\/[^/]+\/files\/[^/]+\/parts\/[^/]+\/$/,
    maxBodyBytes: null,
  },
  // Not JSON.
  picture: {
    ...api,
    paths: /^\/api\/(courses\/[^/]+\/picture|accounts\/photo)\/$/,
    maxBodyBytes: null,
  },
  webhook: {
    ...publicApi,
    paths: Object.values(webhookPaths),
    csrf: 'exempt',
    maxBodyBytes: 256 * 1024,
  },
  // Mail programs send forms (RFC 8058).
  oneClick: { ...publicApi, paths: [emailPaths.oneClick], csrf: 'exempt', takesForms: true },
  learners: {
    ...publicApi,
    paths: /^\/api\/(learning\/|participation\/open\/$)/,
    remembersLearners: true,
    csrf: 'origin',
    readsPrimary: true,
  },
  participants: { ...publicApi, paths: /^\/api\/(public|participation|mail)\//, csrf: 'origin' },
  // The SDK sends no token.
  errorReports: { ...api, paths: [apiPaths.errorReports], csrf: 'origin', maxBodyBytes: null },
  import: {
    ...api,
    paths: /^\/api\/cohorts\/[^/]+\/imports\/$/,
    // A list has up to 1 MB, to which JSON adds: each quotation mark becomes two characters.
    maxBodyBytes: 2 * 1024 * 1024 + 32 * 1024,
  },
  // All sessions of a cohort: 200, each with a title and a line, beside the texts of the cohort.
  schedule: {
    ...api,
    paths: /^\/api\/(courses\/[^/]+\/cohorts|cohorts\/[^/]+\/schedule)\/$/,
    maxBodyBytes: 320 * 1024,
  },
  // Lessons that were written elsewhere, without their files.
  contentImport: {
    ...api,
    paths: /^\/api\/courses\/[^/]+\/imports\/$/,
    maxBodyBytes: 2 * 1024 * 1024,
  },
  // A lesson of 50,000 characters, up to four bytes each, beside what a document says of them.
  lesson: {
    ...api,
    paths: /^\/api\/((courses|sections)\/[^/]+\/lessons|lessons\/[^/]+\/draft)\/$/,
    // Larger than a document can be, so that it is refused with words of its own.
    maxBodyBytes: 768 * 1024,
  },
  // Everything of an account: a replica might not know yet that its session has ended.
  export: { ...api, paths: /^\/api\/.*\/export\/$/, readsPrimary: true },
  signIn: { ...api, paths: [serverPaths.googleCallback], readsPrimary: true },
  // Without the primary, the app cannot write.
  health: { ...api, paths: [serverPaths.health], readsPrimary: true },
  api: { ...api, paths: /^\/api(\/|$)/ },
};

/** What a path needs. */
export function kindOf(path: string): PathKind {
  const isOf = ({ paths }: { paths: RegExp | string[] }) =>
    paths instanceof RegExp ? paths.test(path) : paths.includes(path);
  return Object.values(kinds).find(isOf) ?? page;
}

/**
 * Whether a path, as it was sent, is that of a page or of its payload: the only feature of /RSC/
 * that we use, without the endings that Waku skips.
 */
export function isPageOrPayload(path: string): boolean {
  return (
    !path.startsWith('/RSC/') ||
    /^\/RSC\/R\/(?!(.*\/)?(index\.html)?_?\.txt$)[\w./%-]+\.txt$/.test(path)
  );
}
