/** What only the pages of participants call of the API, so that no other page loads it. */
export const participantPaths = {
  /** What a cohort offers at this moment, for everyone. */
  publicCohort: (slug: string) => `/api/public/cohorts/${slug}/` as const,
  enrollmentRequests: (slug: string) => `/api/public/cohorts/${slug}/requests/` as const,
  confirmRequest: '/api/public/requests/confirm/',
  participant: '/api/participation/',
  participation: (action: 'accept' | 'decline' | 'leave' | 'rejoin') =>
    `/api/participation/${action}/` as const,
  newLink: '/api/participation/new-link/',
} as const;
