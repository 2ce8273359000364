import 'server-only';
import { Hono } from 'hono';
import { accountOf } from '#features/accounts/account-of.ts';
import { confirmLink } from '#features/auth/confirm-link.ts';
import { logOut } from '#features/auth/log-out.ts';
import { requestLoginLink } from '#features/auth/request-login-link.ts';
import { type Confirmed, ConfirmInput, LoginInput, SignUpInput } from '#features/auth/schema.ts';
import { signUp } from '#features/auth/sign-up.ts';
import type { HonoEnv } from '#middleware/request-context.ts';
import { clearSessionCookie, setSessionCookie } from '#middleware/session-cookie.ts';
import { requireViewer } from '#middleware/viewer.ts';
import { paths } from '#paths.ts';
import { jsonInput } from './json-input.ts';

/** /api/accounts/auth: how people get in and out. */
export const auth = new Hono<HonoEnv>()
  /** first_name, last_name, email → 201 MailSent. 400, 503: see `signUp`. */
  .post('/signup/', jsonInput(SignUpInput), async (c) =>
    c.json(await signUp(c.get('ctx'), c.req.valid('json')), 201),
  )
  /** email → 200 MailSent. 400, 403, 404, 503: see `requestLoginLink`. */
  .post('/login/', jsonInput(LoginInput), async (c) =>
    c.json(await requestLoginLink(c.get('ctx'), c.req.valid('json'))),
  )
  /** token → 200 Confirmed, and the session cookie. 400: see `confirmLink`. */
  .post('/confirm/', jsonInput(ConfirmInput), async (c) => {
    const sessionToken = await confirmLink(c.get('ctx'), c.req.valid('json').token, {
      sessionToken: c.get('sessionToken'),
      userAgent: c.req.header('User-Agent') ?? '',
    });
    setSessionCookie(c, sessionToken);
    const confirmed: Confirmed = { redirect_to: paths.home };
    return c.json(confirmed);
  })
  /** → 204, signed in or not. */
  .post('/logout/', async (c) => {
    await logOut(c.get('ctx'), c.get('sessionToken') ?? '');
    clearSessionCookie(c);
    return c.body(null, 204);
  })
  /** → 200 Account of the caller. 401 without a session. */
  .get('/user/', requireViewer(), (c) => c.json(accountOf(c.get('viewerCtx').viewer)));
