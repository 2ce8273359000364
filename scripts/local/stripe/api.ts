import type { EmulatorContext } from 'emulate';
import { accountOf, createAccount, createLink, showAccount } from './accounts.ts';
import { createSession, expireSession, sessionOf } from './checkout.ts';
import { type Input, objectOf, parseForm } from './input.ts';
import { expandAll, list } from './reading.ts';
import { createRefund } from './refunds.ts';
import { found, Refusal, refuse } from './refusal.ts';
import {
  type Answer,
  type Failure,
  type Owner,
  type Row,
  rowOf,
  type State,
  shown,
} from './state.ts';
import { type Endpoint, sendRecorded } from './webhooks.ts';

type App = EmulatorContext<State>['app'];

/** What a route gets of a call: its parameters, whose it is, and the id in its path. */
type Call = { input: Input; account: Owner; id: string; path: string };
type Work = (call: Call) => object;

/** The routes of Stripe's API that Lectern calls, with what all of them check and keep. */
export function addApi(app: App, state: State, base: string, endpoint: Endpoint): void {
  const get = (path: string, work: Work) => {
    app.get(path, ({ req }) => answer(req.raw, req.param('id') ?? '', work));
  };
  const post = (path: string, work: Work) => {
    app.post(path, ({ req }) => answer(req.raw, req.param('id') ?? '', work));
  };
  const own = <T extends Row>(row: T, { account, id }: Call): T =>
    found(row.account === account ? row : undefined, row.object, id);

  post('/v1/checkout/sessions', ({ input, account }) =>
    shown(createSession(state, input, account, base)),
  );
  get('/v1/checkout/sessions/:id', (call) => shown(own(sessionOf(state, call.id), call)));
  post('/v1/checkout/sessions/:id/expire', (call) =>
    shown(expireSession(state, own(sessionOf(state, call.id), call))),
  );
  get('/v1/checkout/sessions', (call) => list(state, 'checkout.session', call));
  post('/v1/refunds', ({ input, account }) => shown(createRefund(state, input, account)));
  for (const kind of ['payment_intent', 'refund', 'dispute'] as const) {
    get(`/v1/${kind}s`, (call) => list(state, kind, call));
    get(`/v1/${kind}s/:id`, (call) => shown(own(rowOf(state, kind, call.id), call)));
  }
  get('/v2/core/accounts', ({ input }) => ({
    data: Object.values(state.accounts).map((account) => showAccount(account, input)),
    ...{ next_page_url: null, previous_page_url: null },
  }));
  post('/v2/core/accounts', ({ input }) => createAccount(state, input));
  get('/v2/core/accounts/:id', ({ id, input }) => showAccount(accountOf(state, id), input));
  post('/v2/core/account_links', ({ input }) => createLink(state, input, base));

  /** Answers a call, or lets it fail as told: before its work, or after it. */
  async function answer(request: Request, id: string, work: Work): Promise<Response> {
    const { pathname: path, search } = new URL(request.url);
    const account = request.headers.get('stripe-account');
    const call: State['calls'][number] = {
      ...{ method: request.method, path, account, status: null },
      key: request.headers.get('idempotency-key'),
    };
    state.calls.push(call);
    const failure = takeFailure(path);
    const text = request.method === 'POST' ? await request.text() : search;
    const workOnce = async () => {
      const done = answerOnce(request, `${path} ${text}`, failure?.saved === true, () => {
        requireAccess(request, account);
        const isJson = path.startsWith('/v2/') && request.method === 'POST';
        const input = isJson ? parseJson(text) : parseForm(text);
        return expandAll(state, work({ input, account, id, path }), input);
      });
      await sendRecorded(state, endpoint);
      return done;
    };
    if (failure?.after === true) {
      await workOnce();
    }
    const response = await (failure === undefined ? workOnce() : failed(failure, endpoint.signal));
    call.status = response.status;
    return response;
  }

  /** Repeats the answer that was given to the same idempotency key, which belongs to an account. */
  function answerOnce(request: Request, text: string, isBroken: boolean, work: () => object) {
    const key = request.headers.get('idempotency-key');
    const slot = `${request.headers.get('stripe-account')} ${key}`;
    const kept = state.answers[slot];
    if (key === null || kept === undefined) {
      const done = answerOf(work);
      if (key !== null && isKept(done)) {
        state.answers[slot] = { ...(isBroken ? internalError : done), request: text };
      }
      return toResponse(done);
    }
    return kept.request === text
      ? toResponse(kept, { 'Idempotent-Replayed': 'true' })
      : toResponse(mismatch);
  }

  function requireAccess(request: Request, account: Owner): void {
    if (!/^Bearer [rs]k_(test|live)_/.test(request.headers.get('authorization') ?? '')) {
      throw new Refusal(401, { message: 'Invalid API Key provided' });
    }
    if (account !== null) {
      accountOf(state, account);
    }
  }

  function takeFailure(path: string): Failure | undefined {
    const failure = state.failures.find((each) => each.count > 0 && path.includes(each.path));
    if (failure !== undefined) {
      failure.count -= 1;
    }
    return failure;
  }
}

function answerOf(work: () => object): Answer {
  try {
    return { status: 200, body: work() };
  } catch (error) {
    if (error instanceof Refusal) {
      return error.answer;
    }
    throw error;
  }
}

const internalError: Answer = {
  status: 500,
  body: { error: { type: 'api_error', message: 'An unknown error occurred.' } },
};

const forbidden =
  "The provided key 'rk_test_***' does not have the required permissions for this endpoint on account 'acct_1'. Having the 'rak_standin_read' permission would allow this request to continue.";

const mismatch: Answer = {
  status: 400,
  body: {
    error: {
      type: 'idempotency_error',
      message:
        'Keys for idempotent requests can only be used with the same parameters they were first used with.',
    },
  },
};

/** Stripe keeps no answer to a call whose parameters are wrong, or that may not be made. */
function isKept({ status, body }: Answer): boolean {
  const { code } = objectOf(objectOf(body)['error']);
  return status < 401 && !String(code).startsWith('parameter_');
}

function parseJson(text: string): Input {
  try {
    return objectOf(JSON.parse(text));
  } catch {
    return refuse('Invalid JSON', { code: 'invalid_json' });
  }
}

function toResponse({ status, body }: Answer, headers: Record<string, string> = {}): Response {
  return Response.json(body, { status, headers: { 'Request-Id': 'req_standin', ...headers } });
}

async function failed({ status }: Failure, signal: AbortSignal): Promise<Response> {
  switch (status) {
    case 'hang':
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      return new Response(null, { status: 504 });
    case 'html':
      return new Response('<h1>502 Bad Gateway</h1>', {
        status: 502,
        headers: { 'Content-Type': 'text/html' },
      });
    case '404-without-error':
      return Response.json({ message: 'Not Found' }, { status: 404 });
    case 'drop':
      return new Response(new ReadableStream({ pull: (stream) => stream.error(new Error()) }));
    case 403:
      return toResponse(new Refusal(403, { message: forbidden }).answer);
    default:
      return toResponse({ ...internalError, status });
  }
}
