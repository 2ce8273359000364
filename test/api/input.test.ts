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
  'an object': {},
  blanks: '   ',
  '10 kB': 'x'.repeat(10_000),
  'a NUL': 'Ada\u0000Lovelace',
  'a line break': 'Ada\r\nBcc: victim@example.com',
  'a lone surrogate': 'Ada\ud800Lovelace',
};

test.each(Object.entries(nonsense))(
  'sign-up, login and a new course refuse %s and say why',
  async (_what, value) => {
    const { attempts } = fakeResend();
    const before = await db.$count(users);
    for (const field of ['first_name', 'last_name', 'email'] as const) {
      const input = { ...ada(), [field]: value };
      const sentence = await refusedField(createClient(), signUpPath, input, field);
      expect(sentence).toMatch(/^[A-Z].{10,}/);
    }
    const login = await refusedField(createClient(), loginPath, { email: value }, 'email');
    expect(login).toMatch(/^Please enter (your email address\.|a valid email address)$/);
    const { client } = await createSignedInClient();
    const course = { name: value, course_type: 'cohort' };
    expect(await refusedField(client, coursesPath, course, 'name')).toMatch(/course name/i);

    expect(attempts).toHaveLength(0);
    // Only the one who is signed in.
    expect(await db.$count(users)).toBe(before + 1);
  },
);

test('a course needs one of the two types, and a printable name', async () => {
  const { client } = await createSignedInClient();
  for (const course_type of ['', 'Cohort', 'workshop', null, 1, ['cohort'], undefined]) {
    const input = { name: 'Biology 101', course_type };
    const sentence = await refusedField(client, coursesPath, input, 'course_type');
    expect(sentence).toBe('Please select a course type');
  }
  const input = { name: 'Bio\u202elogy', course_type: 'cohort' };
  expect(await refusedField(client, coursesPath, input, 'name')).toBe(
    'Please use only printable characters in a course name',
  );
  for (const name of ['Bio', 'x'.repeat(254), '微积分入门', 'C++ & <Templates> "101"', '🎓🎓🎓']) {
    const response = await client.post(coursesPath, { name, course_type: 'evergreen' });
    expect(response.status).toBe(201);
    expect(await response.json()).toMatchObject({ name });
  }
});

test.each([
  ['First name is required', 'first_name', ''],
  ['Name must be at least 2 characters', 'first_name', 'A'],
  ['Name must be less than 50 characters', 'last_name', 'L'.repeat(50)],
  ['Please enter a valid email address', 'email', 'attacker@evil.com＠victim.com'],
])('sign-up says %j', async (message, field, value) => {
  const input = { ...ada(), [field]: value };

  expect(await refusedField(createClient(), signUpPath, input, field)).toBe(message);
});

test('a name that could carry a link or markup into an email is refused', async () => {
  const { attempts } = fakeResend();
  const links = ['Win money http://evil.biz', '<a href=//evil>x</a>', 'www.evil.com', 'evil.biz'];
  const joined = ['evil.c\ufe0fom', 'evil.c\u034fom', 'evil.\u200dcom', 'Ann\u200c'];
  const others = ['St.John', 'a@b', '123', "''"];
  for (const first_name of [...links, ...joined, ...others]) {
    await refusedField(createClient(), signUpPath, { ...ada(), first_name }, 'first_name');
  }

  expect(attempts).toHaveLength(0);
});

test('names of people are accepted in any script', async () => {
  fakeResend();
  const latin = ["O'Brien-Łukasz", 'María José', 'J. R. R.', 'D’Arcy', 'L'.repeat(49)];
  for (const first_name of [...latin, '李娜', 'علی\u200cرضا', 'अनिता']) {
    const { status } = await createClient().post(signUpPath, { ...ada(), first_name });
    expect(status, first_name).toBe(201);
  }
});

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

test('a body that is not a JSON object is a 400', async () => {
  for (const raw of ['', '{', '{"email":', 'null', '[]', '1', '"x"', '\u0000']) {
    const response = await createClient().post(loginPath, undefined, { raw });
    expect(response.status, raw).toBe(400);
    expect(await response.json()).toMatchObject({
      message: 'Invalid input. Please check your information.',
      request_id: expect.any(String),
    });
  }
});

test('a body of another type than JSON is a 415; JSON may declare its charset', async () => {
  const { attempts } = fakeResend();
  const send = (type: string) => {
    const headers = { 'Content-Type': type };
    return createClient().post(loginPath, { email: uniqueEmail() }, { headers });
  };
  for (const type of [
    'text/plain',
    'multipart/form-data; boundary=x',
    'application/json+evil',
    '',
  ]) {
    const response = await send(type);
    expect(response.status, type).toBe(415);
    expect(await response.json()).toMatchObject({ code: 'unsupported_media_type' });
  }
  expect((await send('Application/JSON; charset=utf-8')).status).toBe(404);
  expect(attempts).toHaveLength(0);
});

test.each([
  ['with its length', {}],
  ['without a length', { chunked: true }],
  ['with a wrong length', { headers: { 'Content-Length': '1' } }],
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

test('a body with 150,000 unknown fields gets a short answer', async () => {
  const { client, user } = await createSignedInClient();
  const cohort = await createCohortRow(await createCourseRow(user.id));
  const fields = Array.from({ length: 150_000 }, (_, index) => [`f${index}`, 1]);
  const raw = JSON.stringify(Object.fromEntries(fields));
  const response = await client.post(`/api/cohorts/${cohort.id}/imports/`, undefined, { raw });
  const text = await response.text();

  expect(response.status).toBe(400);
  expect(JSON.parse(text)).toMatchObject({ code: 'validation_failed' });
  expect(text).toContain('This field is unknown.');
  expect(text.length).toBeLessThan(4_000);
});

function ada() {
  return { first_name: 'Ada', last_name: 'Lovelace', email: uniqueEmail() };
}

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
