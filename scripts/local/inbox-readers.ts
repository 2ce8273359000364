/**
 * Tokens of those who read the inbox of the stand-in for Resend, one for each test process: the
 * stand-in answers each 5,000 times an hour.
 */
export const inboxReaders = Array.from({ length: 100 }, (_, index) => `reader-${index}`);
