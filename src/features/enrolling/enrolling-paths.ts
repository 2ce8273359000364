/** What the public pages and those of confirmations call of the API. */
export const enrollingPaths = {
  /** What a cohort offers at this moment, for everyone. */
  publicCohort: (slug: string) => `/api/public/cohorts/${slug}/` as const,
  enrollmentRequests: (slug: string) => `/api/public/cohorts/${slug}/requests/` as const,
  confirmRequest: '/api/public/requests/confirm/',
  /** Of people who would like to know when enrollment of a course opens. */
  interests: (slug: string) => `/api/public/courses/${slug}/interests/` as const,
  confirmInterest: '/api/public/interests/confirm/',
  forgetInterest: '/api/public/interests/forget/',
} as const;
