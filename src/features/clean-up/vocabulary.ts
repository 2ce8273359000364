export const events = { cleaned_up: true };
