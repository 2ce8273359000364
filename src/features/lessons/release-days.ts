/** The most days after which a section can open: two years. */
export const maxReleaseDays = 730;
