/** The largest list, and the longest. */
export const maxBytes = 1024 * 1024;
export const maxRows = 5_000;
