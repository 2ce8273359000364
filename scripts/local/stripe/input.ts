import { refuse } from './refusal.ts';

/** The parameters of a call: texts in v1, any JSON in v2. */
export type Input = Record<string, unknown>;

/** Which parameters there are: `true` for one with a value, or with any values within. */
export type Known = { [name: string]: true | Known };

/** Reads `a[b][0][c]=1`, as bodies and queries of v1 have it. */
export function parseForm(text: string): Input {
  const input: Input = {};
  for (const [name, value] of new URLSearchParams(text)) {
    const parts = name.replaceAll(']', '').split('[');
    const last = parts.pop() ?? '';
    let place = input;
    for (const part of parts) {
      place[part] ??= {};
      place = place[part] as Input;
    }
    place[last] = value;
  }
  return input;
}

/** @throws Refusal naming a parameter that Stripe does not know */
export function refuseUnknown(input: Input, known: Known, path = ''): void {
  for (const [name, value] of Object.entries(input)) {
    const place = path === '' ? name : `${path}[${name}]`;
    const within = known[name] ?? (/^\d+$/.test(name) ? known['each'] : undefined);
    if (within === undefined) {
      refuse(`Received unknown parameter: ${place}`, { code: 'parameter_unknown', param: place });
    }
    if (within !== true) {
      refuseUnknown(objectOf(value), within, place);
    }
  }
}

export function objectOf(value: unknown): Input {
  return typeof value === 'object' && value !== null ? (value as Input) : {};
}

/** The value at a path such as `line_items[0][quantity]`; null without one. */
export function textAt(input: Input, path: string): string | null {
  const parts = path.replaceAll(']', '').split('[');
  const value = parts.reduce<unknown>((place, part) => objectOf(place)[part], input);
  return value === undefined || value === '' ? null : String(value);
}

/** @throws Refusal if there is nothing at the path */
export function requiredAt(input: Input, path: string): string {
  const missing = { code: 'parameter_missing', param: path };
  return textAt(input, path) ?? refuse(`Missing required param: ${path}.`, missing);
}

/** @throws Refusal unless it is a whole number */
export function integerAt(input: Input, path: string): number | null {
  const text = textAt(input, path);
  if (text !== null && !/^-?\d+$/.test(text)) {
    refuse(`Invalid integer: ${text}`, { code: 'parameter_invalid_integer', param: path });
  }
  return text === null ? null : Number(text);
}

/** @throws Refusal unless it is the address of a page */
export function urlAt(input: Input, path: string): string | null {
  const text = textAt(input, path);
  if (text !== null && !/^https?:$/.test(URL.parse(text)?.protocol ?? '')) {
    refuse('Not a valid URL', { code: 'url_invalid', param: path });
  }
  return text;
}

/** @throws Refusal beyond Stripe's limits: 50 of at most 40 and 500 characters */
export function metadataAt(input: Input, name: string): Record<string, string> {
  const entries = Object.entries(objectOf(input[name])).map(([key, value]): [string, string] => [
    key,
    String(value),
  ]);
  if (
    entries.length > 50 ||
    entries.some(([key, value]) => key.length > 40 || value.length > 500)
  ) {
    refuse('Metadata can have up to 50 keys of up to 40 characters, with values of up to 500.', {
      param: name,
    });
  }
  return Object.fromEntries(entries);
}
