export const events = { reminders_made: true };
