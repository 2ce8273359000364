const removed = '[removed]';

/**
 * Patterns of secrets: our tokens and cookies, Google's, and the operator's keys. Each consumes
 * what it matches, so that it runs in linear time: clients may have written the text.
 */
const secretPatterns = [
  /__Host-[\w-]*(=[^;,\s"'<>]*)?/g,
  /\bgoogle_[0-9a-f]{16}(=[^;,\s"'<>]*)?/g,
  // Also inside an encoded address: token%3D….
  /(token|code|state|nonce|code_verifier|code_challenge|session|secret)(=|%3D)[^&;,\s"'<>#)]+/gi,
  // A code of six digits, also as JSON. Other codes are words, such as those of errors.
  /\bcode\\?["']?\s*[:=]\s*\\?["']?\d{3}\s?\d{3}\b/gi,
  // Sessions, links, states, nonces, CSRF tokens: at least 256 bits in hex.
  /(?<![0-9a-f])[0-9a-f]{64,}/gi,
  // The link of a participant, of which the id is no secret to us, but theirs. So with feeds.
  /(?<=\/p\/|\/calendar\/[pi]-)[\w%.-]+/g,
  /\b(Bearer|Basic)\s+[\w.~+/-]+=*/gi,
  // A JSON Web Token, such as Google's, or a part of one.
  /\beyJ[\w-]+(\.[\w-]*){0,2}/g,
  /\bya29\.[\w.-]+|\b[14]\/\/?0[\w-]{10,}|\bGOCSPX-[\w-]+/g,
  /\bre_\w{16,}/g,
  /\bwhsec_[\w+/=-]+/g,
];

/** An absolute or relative URL with its query or fragment, if any. */
const addressPattern = /((?:https?:\/\/|(?<![^\s"'(])\/)[^\s"'<>?#]*)(?:[?#][^\s"'<>)]*)?/g;

/** Headers and fields whose value is always secret. */
const secretNames = /^(authorization|cookies?|set-cookie|x-csrftoken|csrftoken|token)$/i;

/** The value of a field `code` that signs in, as opposed to the code of an error. */
const sixDigits = /^\s*\d{3}\s?\d{3}\s*$/;

/**
 * A copy of plain data without secrets, and without the query or fragment of URLs.
 *
 * @param value a text or JSON value
 * @param extraSecrets those that no pattern matches
 */
export function withoutSecrets<Value>(value: Value, extraSecrets: string[] = []): Value {
  // The result has the shape of the input.
  return clean(value, extraSecrets) as Value;
}

function clean(value: unknown, extraSecrets: string[]): unknown {
  if (typeof value === 'string') {
    return cleanText(value, extraSecrets);
  }
  if (Array.isArray(value)) {
    return value.map((item) => clean(item, extraSecrets));
  }
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => [
        cleanText(name, extraSecrets),
        typeof item === 'string' && isSecret(name, item) ? removed : clean(item, extraSecrets),
      ]),
    );
  }
  return value;
}

function isSecret(name: string, text: string): boolean {
  return secretNames.test(name) || (name === 'code' && sixDigits.test(text));
}

function cleanText(text: string, extraSecrets: string[]): string {
  const named = extraSecrets.reduce((rest, secret) => rest.replaceAll(secret, removed), text);
  const whole = named.replace(addressPattern, '$1');
  return secretPatterns.reduce((rest, pattern) => rest.replace(pattern, removed), whole);
}
