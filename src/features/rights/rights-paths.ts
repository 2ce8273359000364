/** What gives or takes everything that is kept of a person, by their links. */
type RightsAct =
  | 'data-link'
  | 'data'
  | 'renew-link'
  | 'erase'
  | 'new-address'
  | 'confirm-address'
  | 'remove-me';

/** What only the pages of people's rights call of the API, so that no other page loads it. */
export const rightsPaths = {
  /** By the person. */
  own: <Act extends RightsAct>(act: Act) => `/api/participation/${act}/` as const,
  /** By their instructor. */
  newPersonLink: (id: string) => `/api/people/${id}/link/` as const,
  personExport: (id: string) => `/api/people/${id}/export/` as const,
};
