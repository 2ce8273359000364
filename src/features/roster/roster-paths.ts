/** The dialog that asks before someone is removed. */
export const removeDialogId = 'remove-person';

/** The dialog that asks before someone is marked as completed while the cohort still runs. */
export const completeDialogId = 'complete-person';

/** The dialog that asks before everyone is marked as completed who has done every lesson. */
export const learnedDialogId = 'complete-learned';

/** The dialogs that mark someone as left, and that decide about the money of someone who has. */
export const [leftDialogId, settleDialogId] = ['mark-left', 'settle-account'];

/** The choice that lets someone in although all places are taken. */
export const overCapacity = 'over';

/** What changes where someone stands in a cohort. */
export type EnrollmentMove = 'add' | 'approve' | 'offer' | 'refuse' | 'remove' | 'withdraw';

/** The address of the API of such a change. Here, so that no other page loads it. */
export function movePath(cohortId: string, enrollment: string, move: EnrollmentMove) {
  return `/api/cohorts/${cohortId}/enrollments/${enrollment}/${move === 'add' ? 'accept' : move}/` as const;
}

/** Marks someone as completed, undoes it, or resends their link. */
export function markPath<Mark extends 'complete' | 'uncomplete' | 'resend'>(
  cohortId: string,
  enrollment: string,
  mark: Mark,
) {
  return `/api/cohorts/${cohortId}/enrollments/${enrollment}/${mark}/` as const;
}

/** Marks everyone as completed who has done every lesson. */
export function learnedPath(cohortId: string) {
  return `/api/cohorts/${cohortId}/learning/completions/` as const;
}

/** What ends a place by agreement, or decides about the account of someone who has left. */
export function leftPath(cohortId: string, enrollment: string, what: 'left' | 'settle') {
  return `/api/cohorts/${cohortId}/enrollments/${enrollment}/${what}/` as const;
}

/** Where a message to the people of these enrollments is written, or to an audience. */
export function writePath(cohortId: string, to: readonly string[]): string {
  return `/cohorts/${cohortId}/message?${new URLSearchParams({ to: to.join() })}`;
}
