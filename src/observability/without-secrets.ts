const removed = '[removed]';

/**
 * What opens a door, by its looks: our tokens and cookies, those of Google, and the keys of the
 * operator. Each pattern consumes what it has looked at, so that it takes no longer than the text
 * is long: anyone may have written it.
 */
const secretPatterns = [
  /__Host-[\w-]*(=[^;,\s"'<>]*)?/g,
  /\bgoogle_[0-9a-f]{16}(=[^;,\s"'<>]*)?/g,
  // In addresses that stand in other addresses, too: token%3D….
  /(token|code|state|nonce|code_verifier|code_challenge|session|secret)(=|%3D)[^&;,\s"'<>#)]+/gi,
  // Sessions, links, states, nonces, CSRF tokens: 256 bits and more in hex.
  /(?<![0-9a-f])[0-9a-f]{64,}/gi,
  /\b(Bearer|Basic)\s+[\w.~+/-]+=*/gi,
  // A JSON Web Token, such as Google's, whole or in part.
  /\beyJ[\w-]+(\.[\w-]*){0,2}/g,
  /\bya29\.[\w.-]+|\b[14]\/\/?0[\w-]{10,}|\bGOCSPX-[\w-]+/g,
  /\bre_\w{16,}/g,
  /\bwhsec_[\w+/=-]+/g,
];

/** An address, whole or of our own origin, and its query or fragment, where it has one. */
const addressPattern = /((?:https?:\/\/|(?<![^\s"'(])\/)[^\s"'<>?#]*)(?:[?#][^\s"'<>)]*)?/g;

/** Headers and fields whose value is a secret whatever it looks like. */
const secretNames = /^(authorization|cookies?|set-cookie|x-csrftoken|csrftoken|token)$/i;

/**
 * A copy of plain data in which no text holds a secret, and no address what comes after its `?` or `#`.
 *
 * @param value text, or what JSON can say, however deep
 * @param known secrets that have no looks of their own
 */
export function withoutSecrets<Value>(value: Value, known: string[] = []): Value {
  // What goes in comes out in the same shape.
  return clean(value, known) as Value;
}

function clean(value: unknown, known: string[]): unknown {
  if (typeof value === 'string') {
    return cleanText(value, known);
  }
  if (Array.isArray(value)) {
    return value.map((item) => clean(item, known));
  }
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => [
        cleanText(name, known),
        typeof item === 'string' && secretNames.test(name) ? removed : clean(item, known),
      ]),
    );
  }
  return value;
}

function cleanText(text: string, known: string[]): string {
  const named = known.reduce((rest, secret) => rest.replaceAll(secret, removed), text);
  const whole = named.replace(addressPattern, '$1');
  return secretPatterns.reduce((rest, pattern) => rest.replace(pattern, removed), whole);
}
