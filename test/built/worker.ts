import { setTimeout as wait } from 'node:timers/promises';
import { createEmulator } from 'emulate';
import { createTestHarness, type TestHarness } from 'wrangler';
import { stampOfForm } from '#support/form-stamp.ts';
import { mailsIn } from '#support/inbox.ts';
import { quietEnv } from '../../scripts/local/settings.ts';
import { startWithRetry } from './free-port.ts';

export const origin = 'https://lectern.test';

/** The secret that signs webhooks. */
const webhookKey = 'a-secret-of-the-webhook!';

type Settings = Record<string, string | Record<string, string[]>>;
export type Mail = {
  to: string[];
  subject: string;
  text: string;
  headers?: Record<string, string>;
};

/**
 * The built worker with its own database and a stand-in for Resend, over real HTTP.
 *
 * @param settings in addition to the required ones
 * @param configPath of a worker to run instead
 * @param stripe what it takes to be paid online
 */
export async function startBuiltWorker(
  settings: Settings = {},
  configPath = './dist/server/wrangler.json',
  stripe: Settings = {
    STRIPE_SECRET_KEY: 'sk_test_of_built_tests',
    STRIPE_WEBHOOK_SECRET: 'whsec_of_the_built_tests',
  },
) {
  Object.assign(process.env, quietEnv);
  const resend = await startWithRetry(() => createEmulator({ service: 'resend', port: 0 }));
  const appSecret = 'a-secret-for-tests-of-32-characters';
  const server = createTestHarness({
    workers: [
      {
        configPath,
        vars: {
          APP_ORIGIN: origin,
          MAIL_FROM: 'Lectern <hello@lectern.test>',
          OPERATOR_NAME: 'Lectern Operators',
          RESEND_BASE_URL: resend.url,
          GOOGLE_CLIENT_ID: 'lectern-test',
          // Nothing answers there.
          STRIPE_BASE_URL: 'http://localhost:9',
          ...stripe,
          ...settings,
        },
        secrets: {
          APP_SECRET: appSecret,
          GOOGLE_CLIENT_SECRET: 'a-google-secret-for-tests',
          RESEND_WEBHOOK_SECRET: `whsec_${btoa(webhookKey)}`,
          RESEND_API_KEY: 're_test',
        },
      },
    ],
  });
  await startWithRetry(() => server.listen());
  const worker = server.getWorker();
  await worker.applyD1Migrations('DB');
  const { DB } = await worker.getEnv();
  /** Runs SQL on the worker's database. */
  const sql = async (query: string, ...values: string[]): Promise<Record<string, unknown>[]> => {
    const statement = DB.prepare(query).bind(...values);
    return (await statement.all()).results;
  };
  const triggers = await sql("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'");

  return {
    origin,
    server,
    appSecret,
    mailsTo: (address: string) => mailsIn<Mail>(resend.url, address),
    sql,
    /** Sets columns of a cohort, as SQL. */
    setCohort: ({ id }: { id: string }, values: string) =>
      sql(`UPDATE cohorts SET ${values} WHERE id = ?`, id),
    /** Deletes all rows, emails and lines of the log. */
    forget: async () => {
      const tables = await sql(
        `SELECT name FROM sqlite_master WHERE type = 'table'
          AND name NOT GLOB 'sqlite_*' AND name NOT GLOB '_cf_*'`,
      );
      const statements = [
        'PRAGMA defer_foreign_keys = on',
        // Some refuse deletions.
        ...triggers.map(({ name }) => `DROP TRIGGER IF EXISTS ${name}`),
        ...tables.map(({ name }) => `DELETE FROM ${name}`),
        ...triggers.map((trigger) => String(trigger['sql'])),
      ];
      await DB.batch(statements.map((statement) => DB.prepare(statement)));
      resend.reset();
      server.clearLogs();
    },
    close: async () => {
      await server.close();
      await resend.close();
    },
  };
}

export type BuiltWorker = Awaited<ReturnType<typeof startBuiltWorker>>;

/** A worker that people can sign up at, in any process. */
export type Reachable = Pick<BuiltWorker, 'mailsTo' | 'appSecret'> & {
  origin: string;
  server: Server;
};

/** What a browser needs from wrangler's harness. */
export type Server = { getWorker: () => Pick<ReturnType<TestHarness['getWorker']>, 'fetch'> };

type Init = { method?: string; headers?: Record<string, string>; body?: string };

let visitors = 0;

/**
 * A browser as the worker sees one: keeps cookies, follows no redirects, and has a network of its
 * own, by which some limits count.
 */
export function createVisitor(server: Server, address = origin) {
  const cookies = new Map<string, string>();
  visitors += 1;
  const network = `10.0.${visitors >> 8}.${visitors % 256}`;

  async function request(path: string, init: Init = {}) {
    const response = await server.getWorker().fetch(`${address}${path}`, {
      redirect: 'manual',
      ...init,
      headers: {
        // Set by Cloudflare in production, and required by Waku's adapter.
        'cf-visitor': '{"scheme":"https"}',
        'cf-connecting-ip': network,
        Cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        ...init.headers,
      },
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      if (/Max-Age=0\b/.test(cookie)) {
        cookies.delete(name);
      } else {
        cookies.set(name, value);
      }
    }
    return response;
  }

  /** A page, a file or an answer of the API, read to its end. */
  async function get(path: string, headers: Record<string, string> = {}) {
    const response = await request(path, { headers });
    const text = await response.text();
    return { status: response.status, headers: Object.fromEntries(response.headers), text };
  }

  // Without HTTPS cookies have no prefix.
  const csrfToken = () => cookies.get('__Host-csrftoken') ?? cookies.get('csrftoken');

  const post = (path: string, input: unknown, init?: Init) => send('POST', path, input, init);

  async function send(method: string, path: string, input: unknown, init: Init = {}) {
    if (csrfToken() === undefined) {
      await request('/login');
    }
    return request(path, {
      ...init,
      method,
      headers: {
        ...init.headers,
        ...(input !== undefined && { 'Content-Type': 'application/json' }),
        Origin: address,
        'X-CSRFToken': csrfToken() ?? '',
      },
      body: JSON.stringify(input),
    });
  }

  return { cookies, request, get, post, send };
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

/** Asks to use another address, which gets a link, as the one until now does. */
export async function askForAddress(visitor: Visitor, email: string): Promise<void> {
  const account = await visitor.request('/api/accounts/auth/user/');
  const { id } = (await account.json()) as { id: string };
  await visitor.send('PATCH', `/api/accounts/${id}/`, { email });
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

const winter = {
  name: 'Winter',
  starts_on: '2099-01-04',
  ends_on: '2099-02-12',
  time_zone: 'Europe/Paris',
};

export async function firstCourseOf(visitor: Visitor): Promise<string> {
  const [course] = (await (await visitor.request('/api/courses/')).json()) as { id: string }[];
  return course?.id ?? '';
}

/** Makes or changes something by the API. */
export async function make<Made = { id: string; public_url: string; draft_version: number }>(
  visitor: Visitor,
  path: string,
  input: object = {},
  method = 'POST',
): Promise<Made> {
  const response = await visitor.send(method, path, input);
  const text = await response.text();
  if (!response.ok) {
    throw new Error(`${path} ${text}`);
  }
  // What the caller reads of it is in the answer of that route.
  return (text === '' ? null : JSON.parse(text)) as Made;
}

type Cohort = { id: string; slug: string };

/** A draft of the user's first course, which is one of cohorts. */
export async function createDraft(visitor: Visitor, values: object = {}): Promise<Cohort> {
  const path = `/api/courses/${await firstCourseOf(visitor)}/cohorts/`;
  const { id, public_url: url } = await make(visitor, path, { ...winter, ...values });
  return { id, slug: new URL(url).pathname.slice('/c/'.length) };
}

/** A published cohort of the user's first course, which is then selected. */
export async function createCohort(visitor: Visitor, values: object = {}): Promise<Cohort> {
  const cohort = await createDraft(visitor, values);
  await make(visitor, `/api/cohorts/${cohort.id}/publish/`);
  await visitor.post(`/api/courses/${await firstCourseOf(visitor)}/select/`, {});
  return cohort;
}

/** Adds someone to a cohort; resolves to the id of their place. */
export async function addPerson(
  visitor: Visitor,
  cohort: { id: string },
  person: { name: string; email: string; as?: string },
): Promise<string> {
  const input = { as: 'enrolled', language: 'en', ...person };
  return (await make(visitor, `/api/cohorts/${cohort.id}/enrollments/`, input)).id;
}

/** This many live sessions of a cohort, a week apart; resolves to the id of the first. */
export async function createMeetings(
  visitor: Visitor,
  { id }: { id: string },
  count: number,
): Promise<string> {
  const [first] = await make<{ id: string }[]>(visitor, `/api/cohorts/${id}/meetings/`, {
    title: 'Reading aloud',
    starts_local: '2099-01-06T18:00',
    duration_minutes: 90,
    count,
  });
  return first?.id ?? '';
}

/** The link of a participant, and the tokens of the other links in their emails. */
type Participant = {
  link: string;
  enrollmentId: string;
  email: string;
  token: string;
  dataToken: string;
  removeToken: string;
  addressToken: string;
};

/** Someone whom the user has added to a cohort, and the token of someone else's request. */
export async function createParticipant(
  built: Reachable,
  visitor: Visitor,
  cohort: Cohort,
): Promise<Participant> {
  const email = `${crypto.randomUUID()}@example.com`;
  const enrollmentId = await addPerson(visitor, cohort, { name: 'Grace Hopper', email });
  const link = await mailedTo(built, email, /\/p\/([\w.-]+)/);
  const token = await requestPlace(built, cohort);
  return { link, enrollmentId, email, token, ...(await rightsOf(built, link, email)) };
}

/** The tokens of the links to someone's data, to their removal and to their new address. */
async function rightsOf(built: Reachable, link: string, email: string) {
  const nobody = createVisitor(built.server, built.origin);
  await nobody.post('/api/participation/data-link/', { link });
  const dataToken = await mailedTo(built, email, /\/p\/data\?token=([\w.-]+)/);
  const other = `${crypto.randomUUID()}@example.com`;
  await nobody.post('/api/participation/new-address/', { token: dataToken, email: other });
  return {
    dataToken,
    removeToken: await mailedTo(built, email, /\/p\/remove\?token=([\w.-]+)/, 0),
    addressToken: await mailedTo(built, other, /\/p\/address\?token=([\w.-]+)/),
  };
}

/** Someone whom the user has invited, and the token that ends their invitations. */
export async function createInvited(
  built: Reachable,
  visitor: Visitor,
  cohort: { id: string },
): Promise<{ email: string; token: string }> {
  const email = `${crypto.randomUUID()}@example.com`;
  await addPerson(visitor, cohort, { name: 'Alan Turing', email, as: 'invited' });
  return { email, token: await mailedTo(built, email, /\/p\/unsubscribe\?u=([\w.-]+)/) };
}

/** Asks for a place in a cohort; resolves to the token that confirms it. */
export async function requestPlace(built: Reachable, { slug }: { slug: string }): Promise<string> {
  const nobody = createVisitor(built.server, built.origin);
  const path = `/api/public/cohorts/${slug}/`;
  const stamp = stampOfForm(built.appSecret);
  const email = `${crypto.randomUUID()}@example.com`;
  const input = { name: 'Joan Clarke', email, consent: true, language: 'en', stamp };
  await nobody.post(`${path}requests/`, input);
  return mailedTo(built, email, /\?token=([\w.-]+)/);
}

/** Asks to be told when a course takes people; resolves to the token that confirms it. */
export async function askToBeTold(built: Reachable, course: string): Promise<string> {
  const nobody = createVisitor(built.server, built.origin);
  const email = `${crypto.randomUUID()}@example.com`;
  const input = { email, consent: true, stamp: stampOfForm(built.appSecret) };
  await nobody.post(`/api/public/courses/${course}/interests/`, input);
  return mailedTo(built, email, /\?token=([\w.-]+)/);
}

/** A course whose only cohort takes no one: the address of its page. */
export async function createClosedCourse(visitor: Visitor): Promise<string> {
  const course = { name: 'Closed', course_type: 'cohort' };
  const { id } = await make(visitor, '/api/courses/', course);
  const closed = { ...winter, join_mode: 'invitation' };
  const cohort = await make(visitor, `/api/courses/${id}/cohorts/`, closed);
  await make(visitor, `/api/cohorts/${cohort.id}/publish/`);
  await visitor.post(`/api/courses/${id}/select/`, {});
  const { text } = await visitor.get('/cohorts');
  return /\/c\/(closed-\w+)/.exec(text)?.[1] ?? '';
}

/** What a pattern finds in an email, which may arrive after the answer to its request. */
export async function mailedTo(
  built: Pick<Reachable, 'mailsTo'>,
  email: string,
  pattern: RegExp,
  at = -1,
): Promise<string> {
  for (const end = Date.now() + 60_000; Date.now() < end; await wait(50)) {
    const [, found] = pattern.exec((await built.mailsTo(email)).at(at)?.text ?? '') ?? [];
    if (found !== undefined) {
      return found;
    }
  }
  throw new Error('There is no such email.');
}

/** A lesson at the end of a course. */
export async function createLesson(
  visitor: Visitor,
  courseId: string,
  { title = 'Said is enough', text }: { title?: string; text: string },
  isPublished = true,
): Promise<string> {
  const paragraph = { type: 'paragraph', content: [{ type: 'text', text }] };
  const document = { type: 'doc', content: [paragraph] };
  const lesson = await make(visitor, `/api/courses/${courseId}/lessons/`, { title, document });
  if (isPublished) {
    const input = { draft_version: lesson.draft_version };
    await visitor.post(`/api/lessons/${lesson.id}/publish/`, input);
  }
  return lesson.id;
}

/** A browser that remembers the person of a link. */
export async function openCourse(built: Reachable, link: string): Promise<Visitor> {
  const browser = createVisitor(built.server, built.origin);
  await browser.post('/api/participation/open/', { link });
  return browser;
}
