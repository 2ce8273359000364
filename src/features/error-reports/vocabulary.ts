export const events = { report_not_forwarded: true };
