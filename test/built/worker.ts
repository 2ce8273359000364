import { createEmulator } from 'emulate';
import { createTestHarness, type TestHarness } from 'wrangler';
import { quietEnv } from '../../scripts/local/settings.ts';

export const origin = 'https://lectern.test';

/** The secret that signs webhooks. */
export const webhookKey = 'a-secret-of-the-webhook!';

type Settings = Record<string, string | Record<string, string[]>>;
type Mail = { to: string[]; subject: string; text: string };

/**
 * The built worker with its own database and a stand-in for Resend, over real HTTP.
 *
 * @param settings in addition to the required ones
 * @param configPath of a worker to run instead
 */
export async function startBuiltWorker(
  settings: Settings = {},
  configPath = './dist/server/wrangler.json',
) {
  Object.assign(process.env, quietEnv);
  const resend = await createEmulator({ service: 'resend', port: 0 });
  const server = createTestHarness({
    workers: [
      {
        configPath,
        vars: {
          APP_ORIGIN: origin,
          MAIL_FROM: 'Lectern <hello@lectern.test>',
          RESEND_BASE_URL: resend.url,
          GOOGLE_CLIENT_ID: 'lectern-test',
          ...settings,
        },
        secrets: {
          APP_SECRET: 'a-secret-for-tests-of-32-characters',
          GOOGLE_CLIENT_SECRET: 'a-google-secret-for-tests',
          RESEND_WEBHOOK_SECRET: `whsec_${btoa(webhookKey)}`,
          RESEND_API_KEY: 're_test',
        },
      },
    ],
  });
  await server.listen();
  const worker = server.getWorker();
  await worker.applyD1Migrations('DB');

  return {
    origin,
    server,
    mailsTo: (address: string) => mailsIn(resend.url, address),
    /** Runs SQL on the worker's database. */
    sql: async (query: string, ...values: string[]): Promise<Record<string, unknown>[]> => {
      const { DB } = await worker.getEnv();
      return (
        await DB.prepare(query)
          .bind(...values)
          .all()
      ).results;
    },
    close: async () => {
      await server.close();
      await resend.close();
    },
  };
}

export type BuiltWorker = Awaited<ReturnType<typeof startBuiltWorker>>;

/** All emails to an address, oldest first, as the stand-in for Resend keeps them. */
export async function mailsIn(inbox: string, address: string): Promise<Mail[]> {
  const { data } = await getJson<{ data: { id: string; to: string[] }[] }>(`${inbox}/emails`);
  const mine = data.filter(({ to }) => to.includes(address));
  return Promise.all(mine.map(({ id }) => getJson<Mail>(`${inbox}/emails/${id}`)));
}

/** A worker that people can sign up at, in any process. */
export type Reachable = Pick<BuiltWorker, 'mailsTo'> & { origin: string; server: Server };

/** What a browser needs from wrangler's harness. */
export type Server = { getWorker: () => Pick<ReturnType<TestHarness['getWorker']>, 'fetch'> };

type Init = { method?: string; headers?: Record<string, string>; body?: string };

/** A browser as the worker sees one: keeps cookies and follows no redirects. */
export function createVisitor(server: Server, address = origin) {
  const cookies = new Map<string, string>();

  async function request(path: string, init: Init = {}) {
    const response = await server.getWorker().fetch(`${address}${path}`, {
      redirect: 'manual',
      ...init,
      headers: {
        // Set by Cloudflare in production, and required by Waku's adapter.
        'cf-visitor': '{"scheme":"https"}',
        Cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        ...init.headers,
      },
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      cookies.set(name, value);
    }
    return response;
  }

  // Without HTTPS cookies have no prefix.
  const csrfToken = () => cookies.get('__Host-csrftoken') ?? cookies.get('csrftoken');

  const post = (path: string, input: unknown) => send('POST', path, input);

  async function send(method: string, path: string, input: unknown) {
    if (csrfToken() === undefined) {
      await request('/login');
    }
    return request(path, {
      method,
      headers: {
        'Content-Type': 'application/json',
        Origin: address,
        'X-CSRFToken': csrfToken() ?? '',
      },
      body: JSON.stringify(input),
    });
  }

  return { cookies, request, post, send };
}

export type Visitor = ReturnType<typeof createVisitor>;

type Person = { email: string; firstName: string; lastName: string };

/** Signs up and logs in a user with an account and no course. */
export async function signUpNewcomer(built: Reachable, person: Person): Promise<Visitor> {
  const browser = createVisitor(built.server, built.origin);
  const { email, firstName, lastName } = person;
  const input = { first_name: firstName, last_name: lastName, email };
  await browser.post('/api/accounts/auth/signup/', input);
  const [mail] = await built.mailsTo(email);
  await browser.post('/api/accounts/auth/confirm/', { token: tokenIn(mail) });
  return browser;
}

/** The same with a first course. */
export async function signUpPerson(
  built: Reachable,
  { courseName, ...person }: Person & { courseName: string },
): Promise<Visitor> {
  const browser = await signUpNewcomer(built, person);
  await browser.post('/api/courses/', { name: courseName, course_type: 'cohort' });
  return browser;
}

export function tokenIn(mail: Mail | undefined): string {
  const [, token] = /\?token=(\w+)/.exec(mail?.text ?? '') ?? [];
  if (token === undefined) {
    throw new Error('There is no link in this email.');
  }
  return token;
}

/** The six digits of the code in an email. */
export function codeIn(mail: Mail | undefined): string {
  const [, first, last] = /: (\d{3}) (\d{3})$/m.exec(mail?.text ?? '') ?? [];
  if (first === undefined) {
    throw new Error('There is no code in this email.');
  }
  return `${first}${last}`;
}

async function getJson<Data>(url: string): Promise<Data> {
  const response = await fetch(url);
  // The stand-in's answers have Resend's documented shapes.
  return (await response.json()) as Data;
}

/** A published cohort of the user's first course, which is one of cohorts and then selected. */
export async function createCohort(visitor: Visitor): Promise<{ id: string; slug: string }> {
  const courses = (await (await visitor.request('/api/courses/')).json()) as { id: string }[];
  const made = await visitor.post(`/api/courses/${courses[0]?.id}/cohorts/`, {
    name: 'Winter',
    starts_on: '2099-01-04',
    ends_on: '2099-02-12',
    time_zone: 'Europe/Paris',
  });
  const { id, public_url: url } = (await made.json()) as { id: string; public_url: string };
  await visitor.post(`/api/cohorts/${id}/publish/`, {});
  await visitor.post(`/api/courses/${courses[0]?.id}/select/`, {});
  return { id, slug: new URL(url).pathname.slice('/c/'.length) };
}
