/** All paths of the app. Pages have no trailing slash, the API always has one. */
export const paths = {
  home: '/',
  login: '/login',
  signup: '/signup',
  /** /login, which then leads back to `next`, a page of ours with its query and fragment. */
  loginFor: (next: string, isExpired: boolean) => {
    const back = next === '/' ? [] : [`next=${encodeURIComponent(next).replaceAll('%2F', '/')}`];
    const query = isExpired ? [...back, 'reason=expired'] : back;
    return query.length > 0 ? (`/login?${query.join('&')}` as const) : '/login';
  },
  /** /login explains these codes. */
  loginError: (code: LoginErrorCode) => `/login?error=${code}`,
  firstCourse: '/onboarding/course',
  cohorts: '/cohorts',
  payments: '/payments',
  settings: '/settings',
  courseSettings: '/settings#course',
  billing: '/settings/billing',
  newCohort: '/cohorts/new',
  archivedCohorts: '/cohorts/archive',
  trashedCohorts: '/cohorts/trash',
  cohort: (id: string) => `/cohorts/${id}` as const,
  cohortSettings: (id: string) => `/cohorts/${id}/settings` as const,
  moveCohort: (id: string) => `/cohorts/${id}/move` as const,
  copyCohort: (id: string) => `/cohorts/${id}/duplicate` as const,
  /** What the public page of a cohort will look like, for its owner. */
  cohortPreview: (id: string) => `/cohorts/${id}/preview` as const,
  terms: '/terms',
  privacy: '/privacy',
  /** The public page of a cohort. */
  publicCohort: (appOrigin: string, slug: string) => `${appOrigin}/c/${slug}`,
  confirm: '/confirm',
  confirmLink: (appOrigin: string, token: string) => `${appOrigin}/confirm?token=${token}`,
  undoAddressChange: '/undo-address-change',
  /** The link in emails to an account's current and former address. */
  undoAddressChangeLink: (appOrigin: string, token: string) =>
    `${appOrigin}/undo-address-change?token=${token}`,
} as const;

/** Why a sign-in with Google did not work. */
export const loginErrorCodes = ['invalid_state', 'email_not_verified', 'auth_failed'] as const;
export type LoginErrorCode = (typeof loginErrorCodes)[number];

/** Called by other services. */
export const webhookPaths = {
  /** Registered at Resend. */
  resend: '/api/webhooks/resend/',
} as const;

/** Called by the browser. */
export const apiPaths = {
  signUp: '/api/accounts/auth/signup/',
  login: '/api/accounts/auth/login/',
  confirm: '/api/accounts/auth/confirm/',
  undoAddressChange: '/api/accounts/auth/undo-address-change/',
  logout: '/api/accounts/auth/logout/',
  googleLogin: '/api/accounts/auth/google/login/',
  /** Where Google redirects to; registered in its console. */
  googleCallback: '/api/accounts/auth/google/callback/',
  /** One session by its id, `current` or `others`. */
  session: (id: string) => `/api/accounts/auth/sessions/${id}/` as const,
  account: (id: string) => `/api/accounts/${id}/` as const,
  accountExport: (id: string) => `/api/accounts/${id}/export/` as const,
  health: '/api/health/',
  courses: '/api/courses/',
  course: (id: string) => `/api/courses/${id}/` as const,
  cohortsOf: (courseId: string) => `/api/courses/${courseId}/cohorts/` as const,
  cohort: (id: string) => `/api/cohorts/${id}/` as const,
  cohortChange: (id: string, change: CohortChange) => `/api/cohorts/${id}/${change}/` as const,
  moveCohort: (id: string) => `/api/cohorts/${id}/move/` as const,
  copyCohort: (id: string) => `/api/cohorts/${id}/duplicate/` as const,
  purgeCohort: (id: string) => `/api/cohorts/${id}/purge/` as const,
  /** Where the error reporting SDK sends to. */
  errorReports: '/api/error-reports/',
  selectCourse: (id: string) => `/api/courses/${id}/select/` as const,
} as const;

/** What changes a cohort as a whole, and back. */
export type CohortChange = 'publish' | 'unpublish' | 'archive' | 'unarchive' | 'restore';
