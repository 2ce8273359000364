/** The console.error and console.warn output of this test. */
export const noise: string[] = [];

/** Everything written in this test, noise and events. */
export const written: string[] = [];

type LoggedEvent = { event: string; request_id: string; user_id: string | null } & Record<
  string,
  unknown
>;

/** Returns the noise and clears it; the caller has to check it. */
export function takeNoise(): string[] {
  return noise.splice(0);
}

/** The events logged in this test, in order, or only those of the given kinds. */
export function loggedEvents(...kinds: string[]): LoggedEvent[] {
  return written
    .filter((line) => line.startsWith('{"event":'))
    .map((line): LoggedEvent => JSON.parse(line))
    .filter(({ event }) => kinds.length === 0 || kinds.includes(event));
}
