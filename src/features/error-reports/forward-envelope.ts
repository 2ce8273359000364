import 'server-only';

const timeoutMs = 5_000;
/** The longest first line that an envelope can have. */
const maxHeaderBytes = 16 * 1024;
/** The headers by which Sentry tells the SDK its rate limits. */
const passedOn = ['Retry-After', 'X-Sentry-Rate-Limits'];

/** Whether an envelope is for our own project, so that no one can report elsewhere through us. */
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

/**
 * Forwards an envelope to Sentry without cookies, address or headers. Never throws.
 *
 * @returns the status, null without an answer, and headers that say when to try again
 */
export async function forwardEnvelope(dsn: string, envelope: Uint8Array<ArrayBuffer>) {
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
