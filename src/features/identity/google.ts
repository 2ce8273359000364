import 'server-only';
import {
  CodeChallengeMethod,
  decodeIdToken,
  generateCodeVerifier,
  OAuth2Client,
  OAuth2Tokens,
} from 'arctic';
import * as z from 'zod/mini';
import type { Context } from '#context.ts';
import { createToken } from '#lib/tokens.ts';

type GoogleSettings = Context['config']['google'];

/** One sign-in attempt; each value is new, random, and known to one browser only. */
export type GoogleAttempt = { state: string; codeVerifier: string; nonce: string };

export type GoogleIdentity = ReturnType<typeof readIdToken>;

/** Google's answer was refused. The reason is for the log; users see a general error. */
export class GoogleRefusal extends Error {
  override readonly name = 'GoogleRefusal';
  readonly reason: 'token_request' | 'id_token' | 'email_not_verified';

  constructor(reason: GoogleRefusal['reason'], cause?: unknown) {
    super(`Google's answer was refused: ${reason}`, { cause });
    this.reason = reason;
  }
}

const scopes = ['openid', 'email', 'profile'];
const timeoutMs = 10_000;
const maxAnswerBytes = 64 * 1024;
/** How far Google's clock and ours may differ. */
const clockSkewSeconds = 60;

/**
 * Starts an attempt: the URL to send the browser to, and what the browser must bring back.
 *
 * @param redirectUri where Google redirects to, as registered in its console
 */
export function startGoogle(google: GoogleSettings, redirectUri: string) {
  const attempt = {
    state: createToken(),
    codeVerifier: generateCodeVerifier(),
    nonce: createToken(),
  };
  const client = new OAuth2Client(google.clientId, google.clientSecret, redirectUri);
  const url = client.createAuthorizationURLWithPKCE(
    google.authorizationUrl,
    attempt.state,
    CodeChallengeMethod.S256,
    attempt.codeVerifier,
    scopes,
  );
  // Arctic has no nonce.
  url.searchParams.set('nonce', attempt.nonce);
  url.searchParams.set('prompt', 'select_account');
  return { url, attempt };
}

/**
 * Exchanges a code for the user's identity. Access and refresh tokens are not kept.
 *
 * @throws GoogleRefusal
 */
export async function fetchIdentity(
  google: GoogleSettings,
  redirectUri: string,
  code: string,
  { codeVerifier, nonce }: GoogleAttempt,
  now: Date,
): Promise<GoogleIdentity> {
  const idToken = await requestIdToken(google, redirectUri, code, codeVerifier);
  return readIdToken(google, idToken, nonce, now);
}

/**
 * Our own request instead of Arctic's, which has no timeout or size limit and follows redirects.
 *
 * @throws GoogleRefusal
 */
async function requestIdToken(
  google: GoogleSettings,
  redirectUri: string,
  code: string,
  codeVerifier: string,
): Promise<string> {
  try {
    const response = await fetch(google.tokenUrl, {
      method: 'POST',
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
      headers: { Accept: 'application/json' },
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        client_id: google.clientId,
        client_secret: google.clientSecret,
        redirect_uri: redirectUri,
        code,
        code_verifier: codeVerifier,
      }),
    });
    if (response.status !== 200) {
      await response.body?.cancel();
      throw new Error(`The token endpoint answered ${response.status}`);
    }
    return new OAuth2Tokens(JSON.parse(await readText(response, maxAnswerBytes))).idToken();
  } catch (cause) {
    throw new GoogleRefusal('token_request', cause);
  }
}

async function readText({ body }: Response, maxBytes: number): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let size = 0;
  for await (const chunk of body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    size += chunk.byteLength;
    if (size > maxBytes) {
      throw new Error('The answer is too long');
    }
  }
  return text;
}

const nonEmpty = z.string().check(z.minLength(1), z.maxLength(255));

/** The claims that are used. The rest of an ID token is ignored. */
const Claims = z.object({
  iss: z.string(),
  aud: z.string(),
  azp: z.optional(z.string()),
  exp: z.number(),
  iat: z.number(),
  nonce: z.string(),
  sub: nonEmpty,
  email: z.optional(z.unknown()),
  email_verified: z.optional(z.unknown()),
  hd: z.optional(z.unknown()),
  given_name: z.catch(z.string(), ''),
  family_name: z.catch(z.string(), ''),
  name: z.catch(z.string(), ''),
  picture: z.optional(z.unknown()),
});

/**
 * Checks every claim. The signature is not checked: the token came directly from the token
 * endpoint, over TLS and in exchange for the client's secret (OpenID Connect Core, 3.1.3.7, 6).
 *
 * @throws GoogleRefusal
 */
function readIdToken(google: GoogleSettings, idToken: string, nonce: string, now: Date) {
  const claims = decodeClaims(idToken);
  const nowSeconds = now.getTime() / 1000;
  const isOurs =
    // Google's issuer comes with and without the scheme.
    [google.issuer, google.issuer.replace('https://', '')].includes(claims.iss) &&
    claims.aud === google.clientId &&
    (claims.azp === undefined || claims.azp === google.clientId) &&
    claims.nonce === nonce &&
    claims.exp > nowSeconds - clockSkewSeconds &&
    claims.iat < nowSeconds + clockSkewSeconds;
  if (!isOurs) {
    throw new GoogleRefusal('id_token');
  }
  if (claims.email_verified !== true || typeof claims.email !== 'string' || claims.email === '') {
    throw new GoogleRefusal('email_not_verified');
  }
  const domain = claims.email.slice(claims.email.lastIndexOf('@') + 1).toLowerCase();
  return {
    /** Google's permanent id for a person; addresses can change owners. */
    sub: claims.sub,
    email: claims.email,
    /** Whether Google hosts the mailbox (Gmail, or Workspace by `hd`) and so knows who owns it. */
    isAuthority:
      ['gmail.com', 'googlemail.com'].includes(domain) || nonEmpty.safeParse(claims.hd).success,
    givenName: claims.given_name,
    familyName: claims.family_name,
    name: claims.name,
    /** The URL of a picture on Google's servers; null without one. */
    picture: pictureOf(claims.picture),
  };
}

function decodeClaims(idToken: string): z.output<typeof Claims> {
  try {
    return Claims.parse(decodeIdToken(idToken));
  } catch (cause) {
    throw new GoogleRefusal('id_token', cause);
  }
}

/** Only from origins that our content security policy allows for images. */
function pictureOf(claim: unknown): string | null {
  const url = typeof claim === 'string' && claim.length <= 2048 ? URL.parse(claim) : null;
  const isGoogles = url?.protocol === 'https:' && url.hostname.endsWith('.googleusercontent.com');
  return isGoogles ? url.href : null;
}
