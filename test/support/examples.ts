import type { users } from '#db/schema/users.ts';
import type { LimitName } from '#vocabulary.ts';
import type { Client } from './client.ts';
import { createCourseRow, createSignedInClient } from './factories.ts';

/** A call that does what its route is for, by someone with a session and courses. */
type Example = {
  /** What is sent. */
  input?: unknown;
  /**
   * How it is answered, if not as usual: with 201 to a POST, 204 to a DELETE and 200 to the rest.
   */
  status?: number;
  /** The name by which later examples use the id that was made, or what the call made of it. */
  makes?: string;
  /** The name by which they use the person that the answer is about. */
  makesPerson?: string;
  /**
   * The limit that counts the call. Such a call can be repeated, and writes even if it is a GET.
   */
  limit?: LimitName;
};

/**
 * Examples by method and path, in the order in which one caller makes these calls. In a path or in
 * what is sent, a name in braces stands for an id or a text of the caller: `{account}` and
 * `{email}` are the caller's own, `{course}` is their first course and `{otherCourse}` their last,
 * and all other names are those of `makes`.
 */
export type Examples = Record<string, Example>;

/** The caller's things, by their names. */
type Things = Record<string, string>;

export type ExampleCall = Example & { method: string; path: string; status: number };

const usualStatuses: Record<string, number> = { POST: 201, DELETE: 204 };

const modules = import.meta.glob<Examples>('../features/*/examples.ts', {
  eager: true,
  import: 'examples',
});

/** The examples of each feature, by its name. */
export const examplesByFeature: Record<string, ExampleCall[]> = Object.fromEntries(
  Object.entries(modules).map(([file, examples]) => [
    file.split('/').at(-2) ?? '',
    Object.entries(examples).map(([route, example]) => {
      const [method = '', path = ''] = route.split(' ');
      return { status: usualStatuses[method] ?? 200, ...example, method, path };
    }),
  ]),
);

export const exampleCalls = Object.values(examplesByFeature);

/** Someone who makes the calls of examples: in a browser that is signed in, with two courses. */
export async function createCaller(values: Partial<typeof users.$inferInsert> = {}) {
  const { client, user } = await createSignedInClient(values);
  const yesterday = Date.now() - 24 * 60 * 60 * 1000;
  const { id: course } = await createCourseRow(user.id, { createdAt: new Date(yesterday) });
  const later = { createdAt: new Date(yesterday + 1) };
  const { id: otherCourse } = await createCourseRow(user.id, later);
  const things: Things = { account: user.id, email: user.email, course, otherCourse };
  // Gets the CSRF token.
  await client.get('/api/health/');
  return { client, user, things };
}

export type Caller = { client: Client; things: Things };

/** Makes a call with what the caller has, and keeps what it makes. */
export async function makeCall({ client, things }: Caller, call: ExampleCall): Promise<Response> {
  const { method, path, input } = fillIn(call, things);
  const response = await client.request(method, path, input);
  keepThings(call, things, await response.clone().text(), path);
  return response;
}

/**
 * The path of a route as the schema document has it; a second id is that of an enrollment or of a
 * live session, and `/emails/` is followed by the kind of email.
 */
export function documentedPath(path: string): string {
  const [first = '', ...rest] = path.split(/\{\w+\}/);
  return [first, ...rest]
    .join('{id}')
    .replace(/(\{id\}.*)\{id\}/, '$1{enrollment}')
    .replace(/(\/files\/)\{\w+\}/, '$1{file}')
    .replace(/(\/parts\/)\w+/, '$1{number}')
    .replace(/(\/versions\/)\{\w+\}/, '$1{version}')
    .replace(/(\/emails\/)\w+/, '$1{kind}')
    .replace(/(\/meetings\/)\{\w+\}/, '$1{meeting}')
    .replace(/(\/sections\/)\{enrollment\}/, '$1{section}');
}

/**
 * The path and the input of a call, with the caller's things in their places.
 *
 * @throws Error naming what the caller does not have
 */
export function fillIn(
  { method, path, input }: ExampleCall,
  things: Things,
): { method: string; path: string; input: unknown } {
  const filled = JSON.stringify({ path, input }).replace(/\{(\w+)\}/g, (_, name: string) => {
    const thing = things[name];
    if (thing === undefined) {
      throw new Error(`Nothing is called ${name} where ${method} ${path} is called`);
    }
    return thing;
  });
  return { input: undefined, ...JSON.parse(filled), method };
}

/** Makes what these examples of a feature make. */
export async function makeThings(caller: Caller, calls: ExampleCall[]): Promise<void> {
  for (const call of calls.filter(({ makes }) => makes !== undefined)) {
    await makeCall(caller, call);
  }
}

/** Adds what a call has made to the caller's things. */
export function keepThings(
  { makes, makesPerson }: Example,
  things: Things,
  answer: string,
  path: string,
): void {
  if (makes !== undefined) {
    things[makes] = idIn(answer, path);
  }
  if (makesPerson !== undefined) {
    things[makesPerson] = String(JSON.parse(answer).person_id);
  }
}

/**
 * The id of what a call was about: from its answer, where the first item of a list counts, or from
 * its path if the answer has no body.
 */
function idIn(answer: string, path: string): string {
  const [, , , id = ''] = path.split('/');
  if (answer === '') {
    return id;
  }
  const [first] = [JSON.parse(answer)].flat();
  return String(first.id ?? first.entries?.[0]?.id);
}
