import { env } from 'cloudflare:workers';
import { createToken } from '#lib/tokens.ts';
import { type Client, origin } from './client.ts';
import { fakeService, type Signal } from './far-side.ts';
import { sawAddress, sawSecret } from './secrets.ts';

export const loginPath = '/api/accounts/auth/google/login/';
export const callbackPath = '/api/accounts/auth/google/callback/';

const tokenUrl = 'https://google.test/token';
const clientId = 'lectern-test';

/** The claims of an ID token; `undefined` leaves a claim out. */
export type Claims = Record<string, unknown>;

type Tokens = { access_token: string; refresh_token: string; id_token: string; scope: string };
type Answer = (tokens: Tokens, signal: Signal) => Response | Promise<Response>;
type Options = Parameters<Client['request']>[3];

let serial = 0;

/** A person at Google, with an address that Google is authoritative for. */
export function googlePerson(values: Claims = {}) {
  serial += 1;
  const email = `google.person${serial}@gmail.com`;
  const sub = `1000000000000000${10_000 + serial}`;
  const person = { sub, email, email_verified: true, given_name: 'Grace', family_name: 'Hopper' };
  const claims = { ...person, name: 'Grace Hopper', ...values };
  sawAddress(email);
  if (typeof claims.email === 'string' && claims.email !== '') {
    sawAddress(claims.email);
  }
  return claims;
}

/**
 * Stands in for Google's token endpoint, and exchanges each code once, for our client and the right
 * verifier.
 *
 * @param answer replaces the tokens
 */
export function fakeGoogle(answer: Answer = (tokens) => Response.json(tokens)) {
  const requests: { fields: Record<string, string>; headers: Headers; redirect: string }[] = [];
  const grants = new Map<string, { challenge: string | null; claims: Claims }>();

  async function exchange(request: Request, signal: Signal): Promise<Response> {
    // Not `text()`, which warns about any body without a text type.
    const body = new TextDecoder().decode(await request.arrayBuffer());
    const fields = Object.fromEntries(new URLSearchParams(body));
    requests.push({ fields, headers: request.headers, redirect: request.redirect });
    const grant = grants.get(fields['code'] ?? '');
    grants.delete(fields['code'] ?? '');
    const isGranted =
      request.method === 'POST' &&
      fields['grant_type'] === 'authorization_code' &&
      fields['client_id'] === clientId &&
      fields['client_secret'] === env.GOOGLE_CLIENT_SECRET &&
      fields['redirect_uri'] === origin + callbackPath &&
      grant?.challenge === (await challengeOf(fields['code_verifier'] ?? ''));
    return isGranted
      ? answer(makeTokens(grant.claims), signal)
      : Response.json({ error: 'invalid_grant' }, { status: 400 });
  }
  fakeService(({ href }) => href === tokenUrl, exchange);

  /** What Google does when a person has chosen their account: a code for them and this attempt. */
  function codeFor(url: URL, claims: Claims): string {
    const code = `4/0${createToken()}`;
    sawSecret(code);
    const challenge = url.searchParams.get('code_challenge');
    grants.set(code, { challenge, claims: { nonce: url.searchParams.get('nonce'), ...claims } });
    return code;
  }

  /** A complete sign-in in one browser. */
  async function signIn(client: Client, claims: Claims, options?: Options): Promise<Response> {
    const url = await startSignIn(client, options);
    return client.get(callbackOf(url, codeFor(url, claims)), options);
  }

  return { requests, codeFor, signIn };
}

/** Starts an attempt, and returns where the browser was sent. */
export async function startSignIn(client: Client, options?: Options): Promise<URL> {
  const response = await client.post(loginPath, undefined, options);
  if (response.status !== 200) {
    throw new Error(`The start was answered with ${response.status}.`);
  }
  const url = new URL((await response.json<{ redirect_url: string }>()).redirect_url);
  sawSecret(stateOf(url), url.searchParams.get('nonce') ?? '');
  return url;
}

/** The callback URL that Google redirects the browser to. */
export function callbackOf(url: URL, code: string): string {
  return `${callbackPath}?${new URLSearchParams({ state: stateOf(url), code })}`;
}

export function stateOf(url: URL): string {
  return url.searchParams.get('state') ?? '';
}

/** A browser's sign-in attempts, by cookie name. */
export function attemptsOf({ cookies }: Client): string[] {
  return [...cookies.keys()].filter((name) => name.startsWith('__Host-google_'));
}

/** Base64url of the SHA-256, as required by PKCE. */
export async function challengeOf(verifier: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
  return base64url(new Uint8Array(digest));
}

/** A JWT in Google's format; its signature is not checked. */
function idTokenOf(claims: Claims): string {
  const encoder = new TextEncoder();
  const [header, payload] = [{ alg: 'RS256', kid: 'test', typ: 'JWT' }, claims].map((part) =>
    base64url(encoder.encode(JSON.stringify(part))),
  );
  const idToken = `${header}.${payload}.${base64url(encoder.encode(createToken()))}`;
  sawSecret(idToken);
  return idToken;
}

function makeTokens(claims: Claims): Tokens {
  const now = Math.floor(Date.now() / 1000);
  const ours = { iss: 'https://google.test', aud: clientId, azp: clientId };
  const tokens = {
    access_token: `ya29.${createToken()}`,
    refresh_token: `1//ya29.${createToken()}`,
    id_token: idTokenOf({ ...ours, iat: now, exp: now + 3600, ...claims }),
    scope: 'openid email profile',
    token_type: 'Bearer',
    expires_in: 3599,
  };
  sawSecret(tokens.access_token, tokens.refresh_token);
  return tokens;
}

function base64url(bytes: Uint8Array): string {
  return bytes.toBase64({ alphabet: 'base64url', omitPadding: true });
}
