/** The dialog that marks people as paid. Once per page. */
export const payDialogId = 'mark-as-paid';

/** The addresses of accounts, which few pages load. */
export const paymentPaths = {
  /** The account of a cohort, with its own filter. */
  cohort: (cohortId: string, query: { show?: string; after?: string } = {}) =>
    `/payments?${new URLSearchParams({ cohort: cohortId, ...query })}` as const,
  account: (cohortId: string, enrollmentId: string) =>
    `/payments/${cohortId}/${enrollmentId}` as const,
  ledger: (cohortId: string) => `/api/cohorts/${cohortId}/ledger/` as const,
  charges: (cohortId: string) => `/api/cohorts/${cohortId}/charges/` as const,
  reminders: (cohortId: string) => `/api/cohorts/${cohortId}/payment-reminders/` as const,
  questions: (cohortId: string) => `/api/cohorts/${cohortId}/confirmation-requests/` as const,
  reverse: (entryId: string) => `/api/ledger/${entryId}/reverse/` as const,
  receipt: (entryId: string) => `/api/ledger/${entryId}/receipt/` as const,
  cohortFile: (cohortId: string) => `/api/cohorts/${cohortId}/ledger.csv` as const,
  courseFile: (courseId: string) => `/api/courses/${courseId}/ledger.csv` as const,
};
