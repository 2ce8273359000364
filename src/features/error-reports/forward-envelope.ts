import 'server-only';

/** What became of an envelope: the status of Sentry's answer, null where there was none to be had, and when to come back. */
export type Forwarded = { status: number | null; headers: Record<string, string> };

const timeoutMs = 5_000;
/** The first line of an envelope is short; a longer one is none. */
const maxHeaderBytes = 16 * 1024;
/** What Sentry says of its limits, and the SDK keeps to. */
const passedOn = ['Retry-After', 'X-Sentry-Rate-Limits'];

/**
 * Whether an envelope of the SDK says that it is for our own project: nobody reports to another one through us. What else is in it
 * is not looked at.
 */
export function isForUs(dsn: string, envelope: Uint8Array): boolean {
  const end = envelope.subarray(0, maxHeaderBytes).indexOf(10);
  if (end === -1) {
    return false;
  }
  try {
    const header: unknown = JSON.parse(new TextDecoder().decode(envelope.subarray(0, end)));
    return isSameProject(dsn, header);
  } catch {
    return false;
  }
}

function isSameProject(dsn: string, header: unknown): boolean {
  if (typeof header !== 'object' || header === null || !('dsn' in header)) {
    return false;
  }
  const ours = new URL(dsn);
  const theirs = URL.parse(String(header.dsn));
  return (['protocol', 'username', 'password', 'host', 'pathname'] as const).every(
    (part) => theirs?.[part] === ours[part],
  );
}

/** Hands an envelope to Sentry as it is: without cookies, address or headers of the browser. Never throws. */
export async function forwardEnvelope(
  dsn: string,
  envelope: Uint8Array<ArrayBuffer>,
): Promise<Forwarded> {
  const { origin, pathname } = new URL(dsn);
  try {
    const response = await fetch(`${origin}/api${pathname}/envelope/`, {
      method: 'POST',
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
      headers: { 'Content-Type': 'application/x-sentry-envelope' },
      body: envelope,
    });
    await response.body?.cancel();
    const headers = passedOn.flatMap((name) => {
      const value = response.headers.get(name);
      return value === null ? [] : [[name, value] as const];
    });
    return { status: response.status, headers: Object.fromEntries(headers) };
  } catch {
    return { status: null, headers: {} };
  }
}
