/** What the health route returns: the release that answers, or why there is none. */
type HealthAnswer = { release: string } | { failure: string; status: number | null };

/** Requests a deployment's health route once, for at most ten seconds. */
export async function askHealth(origin: string): Promise<HealthAnswer> {
  try {
    const response = await fetch(`${origin}/api/health/`, {
      redirect: 'error',
      signal: AbortSignal.timeout(10_000),
    });
    const release = response.headers.get('X-Release');
    return response.ok && release !== null
      ? { release }
      : { failure: `the status is ${response.status}`, status: response.status };
  } catch (error) {
    const { cause, message } = error as Error;
    return { failure: cause instanceof Error ? cause.message : message, status: null };
  }
}
