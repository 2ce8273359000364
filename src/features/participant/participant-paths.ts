/** What only the pages of participants call of the API, so that no other page loads it. */
export const participantPaths = {
  participant: '/api/participation/',
  participation: (action: 'accept' | 'decline' | 'leave' | 'rejoin') =>
    `/api/participation/${action}/` as const,
  newLink: '/api/participation/new-link/',
} as const;
