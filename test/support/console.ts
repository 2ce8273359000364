/** What was written to console.error and console.warn in this test. */
export const noise: string[] = [];

/** All that was written in this test, noise and events alike. */
export const written: string[] = [];

type LoggedEvent = { event: string; request_id: string; user_id: string | null } & Record<
  string,
  unknown
>;

/** Hands the noise over, and with it the duty to look at it. */
export function takeNoise(): string[] {
  return noise.splice(0);
}

/** The events that were logged in this test, in their order; of some kinds alone where kinds are named. */
export function loggedEvents(...kinds: string[]): LoggedEvent[] {
  return written
    .filter((line) => line.startsWith('{"event":'))
    .map((line): LoggedEvent => JSON.parse(line))
    .filter(({ event }) => kinds.length === 0 || kinds.includes(event));
}
