/** An item of an envelope, as in the protocol: a header and its payload. */
type Item = { type: string; payload: unknown };
export type Envelope = { header: Record<string, unknown>; items: Item[]; text: string };

/** An error event, as far as the tests check it. */
export type ReportedEvent = {
  event_id: string;
  exception: { values: ReportedException[] };
  request?: Record<string, unknown>;
  user?: Record<string, unknown>;
  tags?: Record<string, unknown>;
  environment: string;
  release: string;
};
type ReportedException = {
  type: string;
  value: string;
  stacktrace?: { frames: Frame[] };
};
/** The innermost frame is last. */
export type Frame = { filename: string; lineno: number; colno: number; function?: string };

/** Parses an envelope; a compressed recording is decompressed. */
export async function parseEnvelope(bytes: Uint8Array): Promise<Envelope> {
  const decoder = new TextDecoder();
  let rest = bytes;
  const takeLine = () => {
    const end = rest.indexOf(10) < 0 ? rest.length : rest.indexOf(10);
    const line = rest.subarray(0, end);
    rest = rest.subarray(end + 1);
    return JSON.parse(decoder.decode(line));
  };
  const header = takeLine();
  const items: Item[] = [];
  const texts = [JSON.stringify(header)];
  while (rest.length > 0) {
    const { type, length } = takeLine();
    const end = length ?? (rest.indexOf(10) < 0 ? rest.length : rest.indexOf(10));
    const payload = rest.subarray(0, end);
    rest = rest.subarray(end + 1);
    const text = type === 'replay_recording' ? await recordingOf(payload) : decoder.decode(payload);
    texts.push(text);
    items.push({ type, payload: parseJson(text) });
  }
  return { header, items, text: texts.join('\n') };
}

/** The events after the line with their number. */
async function recordingOf(payload: Uint8Array): Promise<string> {
  const events = payload.subarray(payload.indexOf(10) + 1);
  // `[`, the start of uncompressed JSON.
  if (events[0] === 91) {
    return new TextDecoder().decode(events);
  }
  const unpacked = new Blob([new Uint8Array(events)])
    .stream()
    .pipeThrough(new DecompressionStream('deflate'));
  return new Response(unpacked).text();
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The error events in envelopes. */
export function eventsIn(envelopes: Envelope[]): ReportedEvent[] {
  return envelopes
    .flatMap(({ items }) => items)
    .filter(({ type }) => type === 'event')
    .map(({ payload }) => payload as ReportedEvent);
}
