import { defineEmulator, type EmulatorContext } from 'emulate';
import { act } from './actions.ts';
import { addApi } from './api.ts';
import { sessionOf } from './checkout.ts';
import { type Input, objectOf, parseForm, textAt } from './input.ts';
import { connectPage, homePage, page, payPage } from './pages.ts';
import { found, Refusal } from './refusal.ts';
import { emptyState, type Failure, now, type Sending, type State } from './state.ts';
import { type Endpoint, release, send, sendRecorded } from './webhooks.ts';

type App = EmulatorContext<State>['app'];
type Receiver = { appOrigin: string; webhookSecret: string };

/**
 * A stand-in for the parts of Stripe that Lectern uses: Checkout, refunds, disputes, and connected
 * accounts by Accounts v2. It refuses what Stripe refuses, and sends signed events.
 *
 * Routes for tests, which take and return JSON:
 *
 * - `GET /_control/` all that it knows, with the calls made to it;
 * - `POST /_control/act {action, id, amount}` what a person, bank or Stripe does: see actions.ts;
 * - `POST /_control/webhooks {mode, times, age_s, account}` how events are sent from now on: `send`,
 *   `lose` or `hold` them; how often at once; with a signature of that age (negative: of the
 *   future); as if of another account;
 * - `POST /_control/webhooks/release {order}` sends those held, in the order in which they happened or
 *   `reversed`, or those of a list of ids;
 * - `POST /_control/events/:id/replay {times, age_s, account}` sends one again;
 * - `POST /_control/failures {status, path, count, after, saved}` makes the next calls fail whose path
 *   contains this: with a status, or by `hang`, `html`, `404-without-error` or `drop`; `after` the
 *   work was done; with `saved`, the 500 is what the idempotency key answers from then on, as at
 *   Stripe. The library tries twice, so that one call of ours needs a count of 2;
 * - `POST /_control/clear` forgets everything.
 */
export function stripeStandIn({ appOrigin, webhookSecret }: Receiver) {
  return defineEmulator<State>({
    name: 'stripe',
    state: emptyState,
    cors: false,
    setup: ({ app, state, baseUrl, signal }) => {
      const url = `${appOrigin}/api/webhooks/stripe/`;
      const endpoint = { url, secrets: webhookSecret.split(' '), signal };
      addApi(app, state, baseUrl, endpoint);
      addPages(app, state, endpoint);
      addControl(app, state, endpoint);
    },
  });
}

function addPages(app: App, state: State, endpoint: Endpoint): void {
  app.get('/', ({ req }) => respond(req.raw, () => homePage(state)));
  app.get('/pay/:id', ({ req }) =>
    respond(req.raw, () => payPage(sessionOf(state, req.param('id')), null)),
  );
  app.post('/pay/:id', ({ req }) =>
    respond(req.raw, async () => {
      const session = sessionOf(state, req.param('id'));
      const how = textAt(parseForm(await req.text()), 'how') ?? '';
      if (how === 'decline' || session.status !== 'open') {
        const said = how === 'decline' ? 'Your card was declined. Try another one.' : null;
        return payPage(session, said);
      }
      act(state, how, session.id);
      await sendRecorded(state, endpoint);
      return redirect(session.success_url.replaceAll('{CHECKOUT_SESSION_ID}', session.id));
    }),
  );
  app.get('/connect/:id', ({ req }) =>
    respond(req.raw, () => {
      const link = found(state.links[req.param('id')], 'account_link', req.param('id'));
      const isOver = link.isUsed || link.expiresAt < now();
      return isOver ? redirect(link.refreshUrl) : connectPage(link, state);
    }),
  );
  app.post('/connect/:id', ({ req }) =>
    respond(req.raw, async () => {
      const link = found(state.links[req.param('id')], 'account_link', req.param('id'));
      const how = textAt(parseForm(await req.text()), 'how') ?? '';
      link.isUsed = true;
      act(state, how, link.account);
      await sendRecorded(state, endpoint);
      return redirect(link.returnUrl);
    }),
  );
}

function addControl(app: App, state: State, endpoint: Endpoint): void {
  const control = (path: string, work: (given: Input, id: string) => unknown) => {
    app.post(path, ({ req }) =>
      respond(req.raw, async () => {
        const text = await req.text();
        const isJson = req.header('content-type')?.includes('json') === true;
        const given = objectOf(isJson ? JSON.parse(text || '{}') : parseForm(text));
        await work(given, req.param('id') ?? '');
        await sendRecorded(state, endpoint);
        return isJson ? Response.json({}) : redirect('/');
      }),
    );
  };
  app.get('/_control/', () => Response.json(state));
  control('/_control/act', (given) => {
    const [name, id] = ['action', 'id'].map((each) => textAt(given, each) ?? '');
    act(state, name ?? '', id ?? '', { amount: textAt(given, 'amount') });
  });
  control('/_control/webhooks', (given) => Object.assign(state.sending, given));
  control('/_control/webhooks/release', ({ order }) => {
    const ids = state.events.map(({ id }) => id);
    const chosen = Array.isArray(order) ? order : order === 'reversed' ? ids.reverse() : ids;
    return release(state, endpoint, chosen);
  });
  control('/_control/events/:id/replay', async (given, id) => {
    const event = found(
      state.events.find((each) => each.id === id),
      'event',
      id,
    );
    await send(state, event, endpoint, given as Partial<Sending>);
  });
  control('/_control/failures', (given) =>
    state.failures.push({
      ...{ path: '', count: 1, after: false, saved: false },
      ...(given as Pick<Failure, 'status'> & Partial<Failure>),
    }),
  );
  control('/_control/clear', () => Object.assign(state, emptyState()));
}

function redirect(location: string): Response {
  return new Response(null, { status: 303, headers: { Location: location } });
}

/** A page, or why there is none. */
async function respond(
  request: Request,
  work: () => string | Response | Promise<string | Response>,
): Promise<Response> {
  let status = 200;
  let answer: string | Response;
  try {
    answer = await work();
  } catch (error) {
    if (!(error instanceof Refusal)) {
      throw error;
    }
    status = error.answer.status;
    const isJson = request.headers.get('content-type')?.includes('json') === true;
    answer = isJson
      ? Response.json(error.answer.body, { status })
      : page('This can’t be done', error.message);
  }
  const headers = { 'Content-Type': 'text/html; charset=utf-8' };
  return typeof answer === 'string' ? new Response(answer, { status, headers }) : answer;
}
