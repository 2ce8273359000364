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
  firstCourse: '/onboarding/course',
  lessons: '/lessons',
  cohorts: '/cohorts',
  settings: '/settings',
  courseSettings: '/settings#course',
  newCohort: '/cohorts/new',
  cohort: (id: string) => `/cohorts/${id}` as const,
  roster: (id: string) => `/cohorts/${id}/roster` as const,
  /** Someone on the roster or on the waitlist, by their enrollment. */
  participant: (id: string, enrollment: string) => `/cohorts/${id}/roster/${enrollment}` as const,
  confirm: '/confirm',
  undoAddressChange: '/undo-address-change',
} as const;

/** Why a sign-in with Google did not work. */
export const loginErrorCodes = ['invalid_state', 'email_not_verified', 'auth_failed'] as const;
export type LoginErrorCode = (typeof loginErrorCodes)[number];

/** The addresses that only the server writes: no script contains them. */
export const serverPaths = {
  archivedCohorts: '/cohorts/archive',
  allPastCohorts: '/cohorts?past=all#past',
  trashedCohorts: '/cohorts/trash',
  billing: '/settings/billing',
  /** The viewer's account at Stripe; only where payments are taken online. */
  gettingPaid: '/settings/payments',
  waitlist: (id: string) => `/cohorts/${id}/waitlist` as const,
  cohortSettings: (id: string) => `/cohorts/${id}/settings` as const,
  moveCohort: (id: string) => `/cohorts/${id}/move` as const,
  copyCohort: (id: string) => `/cohorts/${id}/duplicate` as const,
  /** What the public page of a cohort will look like, for its owner. */
  cohortPreview: (id: string) => `/cohorts/${id}/preview` as const,
  /** The same of the selected evergreen course, before enrollment in it is opened. */
  runPreview: '/cohorts/preview',
  terms: '/terms',
  privacy: '/privacy',
  payments: '/payments',
  /** /login explains these codes. */
  loginError: (code: LoginErrorCode) => `/login?error=${code}`,
  publicCohort: (appOrigin: string, slug: string) => `${appOrigin}/c/${slug}`,
  /** The page of a participant, by the link in their emails. */
  participation: (appOrigin: string, link: string) => `${appOrigin}/p/${link}`,
  /** Where Stripe leads back to: it keeps the address, so no link of a person is in it. */
  paid: (appOrigin: string, checkout: string) => `${appOrigin}/p/paid?c=${checkout}`,
  /** The page that confirms a request to enroll, or that someone waits for a course. */
  confirmation: (appOrigin: string, token: string) => `${appOrigin}/p/confirm?token=${token}`,
  confirmLink: (appOrigin: string, token: string) => `${appOrigin}/confirm?token=${token}`,
  /** The link in emails to an account's current and former address. */
  undoAddressChangeLink: (appOrigin: string, token: string) =>
    `${appOrigin}/undo-address-change?token=${token}`,
  /** Where Google redirects to; registered in its console. */
  googleCallback: '/api/accounts/auth/google/callback/',
  health: '/api/health/',
} as const;

/** Called by other services. */
export const webhookPaths = {
  /** Registered at Resend. */
  resend: '/api/webhooks/resend/',
  /** Registered at Stripe, for one's own account and for connected ones. */
  stripe: '/api/webhooks/stripe/',
} as const;

/** The paths of emails. Islands get them from the server, so that no other page loads them. */
export const emailPaths = {
  /** The emails of a cohort, and one of them. */
  page: (id: string) => `/cohorts/${id}/emails` as const,
  preview: (id: string, kind: string) => `/cohorts/${id}/emails/${kind}` as const,
  /** Where an instructor writes to everyone who is enrolled. */
  message: (id: string) => `/cohorts/${id}/message` as const,
  /** The page on which the readers of an email end what it belongs to. */
  unsubscribe: (appOrigin: string, token: string) => `${appOrigin}/p/unsubscribe?u=${token}`,
  /** Called by mail programs. */
  oneClick: '/api/mail/unsubscribe/',
  subscription: '/api/mail/subscription/',
  ofCohort: (id: string) => `/api/cohorts/${id}/emails/` as const,
  send: (id: string, kind: string) => `/api/cohorts/${id}/emails/${kind}/send/` as const,
} as const;

/** Called by many pages. The paths that few pages call stand beside their features. */
export const apiPaths = {
  signUp: '/api/accounts/auth/signup/',
  login: '/api/accounts/auth/login/',
  confirm: '/api/accounts/auth/confirm/',
  undoAddressChange: '/api/accounts/auth/undo-address-change/',
  logout: '/api/accounts/auth/logout/',
  googleLogin: '/api/accounts/auth/google/login/',
  /** One session by its id, `current` or `others`. */
  session: (id: string) => `/api/accounts/auth/sessions/${id}/` as const,
  account: (id: string) => `/api/accounts/${id}/` as const,
  accountExport: (id: string) => `/api/accounts/${id}/export/` as const,
  courses: '/api/courses/',
  course: (id: string) => `/api/courses/${id}/` as const,
  /** Opens enrollment in an evergreen course. */
  enrollment: (courseId: string) => `/api/courses/${courseId}/enrollment/` as const,
  cohort: (id: string) => `/api/cohorts/${id}/` as const,
  person: (id: string) => `/api/people/${id}/` as const,
  /** Where the error reporting SDK sends to. */
  errorReports: '/api/error-reports/',
  selectCourse: (id: string) => `/api/courses/${id}/select/` as const,
} as const;
