import { expect, test } from 'vitest';
import { users } from '#db/schema/users.ts';
import { createClient } from '#support/client.ts';
import {
  createCohortRow,
  createCourseRow,
  createSignedInClient,
  db,
  uniqueEmail,
} from '#support/factories.ts';
import { fakeResend } from '#support/resend.ts';

const signUpPath = '/api/accounts/auth/signup/';
const loginPath = '/api/accounts/auth/login/';
const coursesPath = '/api/courses/';

/** Values that are not text, or not text that a person would type. */
const nonsense = {
  null: null,
  'a number': 1,
  true: true,
  'an array': ['a'],
  'an object': {},
  nothing: '',
  blanks: '   ',
  '10 kB': 'x'.repeat(10_000),
  'a NUL': 'Ada\u0000Lovelace',
  'a line break': 'Ada\r\nBcc: victim@example.com',
  'an escape sequence': 'Ada\u001b[31m',
  'a lone surrogate': 'Ada\ud800Lovelace',
};

for (const field of ['first_name', 'last_name', 'email'] as const) {
  test.each(Object.entries(nonsense))(
    `sign-up refuses ${field} with %s and says why`,
    async (_what, value) => {
      const { attempts } = fakeResend();
      const before = await db.$count(users);
      const input = {
        first_name: 'Ada',
        last_name: 'Lovelace',
        email: uniqueEmail(),
        [field]: value,
      };
      const body = await refusedField(createClient(), signUpPath, input, field);

      expect(body).toMatch(/^[A-Z].{10,}/);
      expect(attempts).toHaveLength(0);
      expect(await db.$count(users)).toBe(before);
    },
  );
}

test.each(Object.entries(nonsense))(
  'login refuses an address of %s and says why',
  async (_what, value) => {
    const { attempts } = fakeResend();
    const sentence = await refusedField(createClient(), loginPath, { email: value }, 'email');

    expect(['Please enter your email address.', 'Please enter a valid email address']).toContain(
      sentence,
    );
    expect(attempts).toHaveLength(0);
  },
);

test.each(Object.entries(nonsense))(
  'a course refuses a name of %s and says why',
  async (_what, value) => {
    const { client } = await createSignedInClient();
    const input = { name: value, course_type: 'cohort' };

    expect(await refusedField(client, coursesPath, input, 'name')).toMatch(/course name/i);
  },
);

test.each(['', 'Cohort', 'workshop', null, 1, ['cohort'], undefined])(
  'a course of the type %j is refused with a message about its type',
  async (courseType) => {
    const { client } = await createSignedInClient();
    const input = { name: 'Biology 101', course_type: courseType };

    expect(await refusedField(client, coursesPath, input, 'course_type')).toBe(
      'Please select a course type',
    );
  },
);

test.each([
  ['First name is required', 'first_name', ''],
  ['Last name is required', 'last_name', ''],
  ['Email address is required', 'email', ''],
  ['Name must be at least 2 characters', 'first_name', 'A'],
  ['Name must be less than 50 characters', 'last_name', 'L'.repeat(50)],
  ['Please enter a valid email address', 'email', 'ada@example'],
  ['Please enter a valid email address', 'email', 'attacker@evil.com＠victim.com'],
])('sign-up says %j', async (message, field, value) => {
  const input = { first_name: 'Ada', last_name: 'Lovelace', email: uniqueEmail(), [field]: value };

  expect(await refusedField(createClient(), signUpPath, input, field)).toBe(message);
});

test.each([
  ['Course name is required', ''],
  ['Course name must be at least 3 characters', 'Ab'],
  ['Course name must be less than 255 characters', 'x'.repeat(255)],
])('a course says %j', async (message, name) => {
  const { client } = await createSignedInClient();

  expect(await refusedField(client, coursesPath, { name, course_type: 'cohort' }, 'name')).toBe(
    message,
  );
});

test.each([
  'Win money http://evil.biz',
  '<a href=//evil>x</a>',
  'www.evil.com',
  'evil.biz',
  'St.John',
  'evil.c\ufe0fom',
  'evil.c\u034fom',
  'evil.c\u200dom',
  'evil.\u200dcom',
  'www.\u034fevil.\u034fcom now',
  'Ann\u200c',
  'a@b',
  '123',
  "''",
])('a name that could carry a link or markup into an email is refused: %j', async (name) => {
  const { attempts } = fakeResend();
  const input = { first_name: name, last_name: 'Lovelace', email: uniqueEmail() };
  await refusedField(createClient(), signUpPath, input, 'first_name');

  expect(attempts).toHaveLength(0);
});

test.each([
  "O'Brien-Łukasz",
  'María José',
  '李娜',
  'علی\u200cرضا',
  'J. R. R.',
  'Anne‐Marie',
  'D’Arcy',
  'अनिता',
  'L'.repeat(49),
])('the name %j is accepted', async (name) => {
  fakeResend();
  const input = { first_name: name, last_name: 'Lovelace', email: uniqueEmail() };

  expect((await createClient().post(signUpPath, input)).status).toBe(201);
});

test.each(['\u200b\u200b\u200b', 'Bio\u202elogy', 'Bio\u2028logy'])(
  'a course name with invisible characters is refused: %#',
  async (name) => {
    const { client } = await createSignedInClient();
    const input = { name, course_type: 'cohort' };

    expect(await refusedField(client, coursesPath, input, 'name')).toBe(
      'Please use only printable characters in a course name',
    );
  },
);

test.each(['Bio', 'x'.repeat(254), '微积分入门', 'C++ & <Templates> "101"', '🎓🎓🎓'])(
  'the course name %# is accepted unchanged',
  async (name) => {
    const { client } = await createSignedInClient();
    const response = await client.post(coursesPath, { name, course_type: 'evergreen' });

    expect(response.status).toBe(201);
    expect(await response.json()).toMatchObject({ name });
  },
);

test('all invalid fields are listed, in the order of the form and in the language of the request', async () => {
  const client = createClient();
  client.cookies.set('language', 'fr');
  const refused = await client.post(signUpPath, {});
  const body = await refused.json<{ errors: string[]; fields: Record<string, string[]> }>();
  expect(Object.keys(body.fields)).toEqual(['first_name', 'last_name', 'email']);
  expect(body.errors).toEqual([
    'Le prénom est obligatoire',
    'Le nom est obligatoire',
    'L’adresse e‑mail est obligatoire',
  ]);
});

test.each(['', '{', '{"email":', 'null', '[]', '1', '"x"', '\u0000'])(
  'a body that is not a JSON object is a 400: %j',
  async (raw) => {
    const response = await createClient().post(loginPath, undefined, { raw });

    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      message: 'Invalid input. Please check your information.',
      request_id: expect.any(String),
    });
  },
);

test.each([
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/csp-report',
  'application/json+evil',
  '',
])('a body with the content type %j is a 415', async (contentType) => {
  const { attempts } = fakeResend();
  const response = await createClient().post(
    loginPath,
    { email: uniqueEmail() },
    {
      headers: { 'Content-Type': contentType },
    },
  );

  expect(response.status).toBe(415);
  expect(await response.json()).toMatchObject({ code: 'unsupported_media_type' });
  expect(attempts).toHaveLength(0);
});

test('JSON may declare its charset', async () => {
  const response = await createClient().post(
    loginPath,
    { email: uniqueEmail() },
    {
      headers: { 'Content-Type': 'Application/JSON; charset=utf-8' },
    },
  );

  expect(response.status).toBe(404);
});

test.each([
  ['with its length', {}],
  ['without a length', { chunked: true }],
  ['with a wrong length', { headers: { 'Content-Length': '1' } }],
  ['with a malformed length', { headers: { 'Content-Length': 'abc' } }],
])(
  'a body of 33 kB %s is a 413',
  async (_length, {
    chunked,
    headers = {},
  }: { chunked?: boolean; headers?: Record<string, string> }) => {
    const text = JSON.stringify({ email: 'x'.repeat(33_000) });
    const raw = chunked ? new Blob([text]).stream() : text;
    const response = await createClient().post(loginPath, undefined, { raw, headers });

    expect(response.status).toBe(413);
    expect(await response.json()).toMatchObject({ code: 'body_too_large' });
  },
);

test('a body of 32 kB is read', async () => {
  const text = JSON.stringify({ email: '' });
  const raw = text.padEnd(32 * 1024, ' ');

  expect((await createClient().post(loginPath, undefined, { raw })).status).toBe(400);
  expect((await createClient().post(loginPath, undefined, { raw: `${raw} ` })).status).toBe(413);
});

test.each([
  ['150,000 unknown fields', () => Array.from({ length: 150_000 }, (_, index) => [`f${index}`, 1])],
  ['unknown fields with long names', () => [...'abc'].map((name) => [name.repeat(600_000), 1])],
])('a body with %s gets a short answer', async (_what, entries) => {
  const { client, user } = await createSignedInClient();
  const course = await createCourseRow(user.id);
  const cohort = await createCohortRow({ id: course.id, ownerId: user.id });
  const raw = JSON.stringify(Object.fromEntries(entries()));
  const response = await client.post(`/api/cohorts/${cohort.id}/imports/`, undefined, { raw });
  const text = await response.text();

  expect(response.status).toBe(400);
  const { code, fields } = JSON.parse(text);
  expect(code).toBe('validation_failed');
  expect(Object.values(fields)).toContainEqual(['This field is unknown.']);
  expect(text.length).toBeLessThan(4_000);
});

async function refusedField(
  client: ReturnType<typeof createClient>,
  path: string,
  input: unknown,
  field: string,
): Promise<string | undefined> {
  const response = await client.post(path, input);
  expect(response.status).toBe(400);
  const body = await response.json<{
    code: string;
    fields: Record<string, string[]>;
    errors: string[];
  }>();
  expect(body.code).toBe('validation_failed');
  expect(Object.keys(body.fields)).toEqual([field]);
  expect(body.errors).toEqual(body.fields[field]);
  expect(body.fields[field]).toHaveLength(1);
  return body.fields[field]?.[0];
}
