/** The addresses of what is written to everyone in a cohort, which few pages load. */
export const messagePaths = {
  messages: (cohortId: string) => `/api/cohorts/${cohortId}/messages/` as const,
  announcements: (cohortId: string) => `/api/cohorts/${cohortId}/announcements/` as const,
};
