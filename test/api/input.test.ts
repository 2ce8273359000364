import { expect, test } from 'vitest';
import { users } from '#db/schema/users.ts';
import { apiPaths } from '#paths.ts';
import { answerOf, refusal } from '#support/answers.ts';
import { type Client, createClient } from '#support/client.ts';
import {
  createCohortRow,
  createCourseRow,
  createSignedInClient,
  db,
  uniqueEmail,
} from '#support/factories.ts';
import { fakeResend } from '#support/resend.ts';

type Invalid = { code: string; fields: Record<string, string[]>; errors: string[] };

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
      const sentence = await refusedField(createClient(), apiPaths.signUp, input, field);
      expect(sentence).toMatch(/^[A-Z].{10,}/);
    }
    const login = await refusedField(createClient(), apiPaths.login, { email: value }, 'email');
    expect(login).toMatch(/^Please enter (your email address\.|a valid email address)$/);
    const { client } = await createSignedInClient();
    const course = { name: value, course_type: 'cohort' };
    expect(await refusedField(client, apiPaths.courses, course, 'name')).toMatch(/course name/i);

    expect(attempts).toHaveLength(0);
    // Only the one who is signed in.
    expect(await db.$count(users)).toBe(before + 1);
  },
);

test('a course needs one of the two types, and a printable name', async () => {
  const { client } = await createSignedInClient();
  for (const course_type of ['', 'Cohort', 'workshop', null, 1, ['cohort'], undefined]) {
    const input = { name: 'Biology 101', course_type };
    const sentence = await refusedField(client, apiPaths.courses, input, 'course_type');
    expect(sentence).toBe('Please select a course type');
  }
  const input = { name: 'Bio\u202elogy', course_type: 'cohort' };
  expect(await refusedField(client, apiPaths.courses, input, 'name')).toBe(
    'Please use only printable characters in a course name',
  );
  for (const name of ['Bio', 'x'.repeat(254), '微积分入门', 'C++ & <Templates> "101"', '🎓🎓🎓']) {
    const made = await answerOf(client.post(apiPaths.courses, { name, course_type: 'evergreen' }));
    expect(made).toMatchObject({ status: 201, body: { name } });
  }
});

test.each([
  ['First name is required', 'first_name', ''],
  ['Name must be at least 2 characters', 'first_name', 'A'],
  ['Name must be less than 50 characters', 'last_name', 'L'.repeat(50)],
  ['Please enter a valid email address', 'email', 'attacker@evil.com＠victim.com'],
])('sign-up says %j', async (message, field, value) => {
  const input = { ...ada(), [field]: value };

  expect(await refusedField(createClient(), apiPaths.signUp, input, field)).toBe(message);
});

test('a name that could carry a link or markup into an email is refused', async () => {
  const { attempts } = fakeResend();
  const links = ['Win money http://evil.biz', '<a href=//evil>x</a>', 'www.evil.com', 'evil.biz'];
  const joined = ['evil.c\ufe0fom', 'evil.c\u034fom', 'evil.\u200dcom', 'Ann\u200c'];
  const others = ['St.John', 'a@b', '123', "''"];
  for (const first_name of [...links, ...joined, ...others]) {
    await refusedField(createClient(), apiPaths.signUp, { ...ada(), first_name }, 'first_name');
  }

  expect(attempts).toHaveLength(0);
});

test('names of people are accepted in any script', async () => {
  fakeResend();
  const latin = ["O'Brien-Łukasz", 'María José', 'J. R. R.', 'D’Arcy', 'L'.repeat(49)];
  for (const first_name of [...latin, '李娜', 'علی\u200cرضا', 'अनिता']) {
    const { status } = await createClient().post(apiPaths.signUp, { ...ada(), first_name });
    expect(status, first_name).toBe(201);
  }
});

test('all invalid fields are listed, in the order of the form and in the language of the request', async () => {
  const client = createClient();
  client.cookies.set('language', 'fr');
  const { body } = await answerOf<Invalid>(client.post(apiPaths.signUp, {}));
  expect(Object.keys(body.fields)).toEqual(['first_name', 'last_name', 'email']);
  expect(body.errors).toEqual([
    'Le prénom est obligatoire',
    'Le nom est obligatoire',
    'L’adresse e‑mail est obligatoire',
  ]);
});

test('a body that is not a JSON object is a 400', async () => {
  for (const raw of ['', '{', '{"email":', 'null', '[]', '1', '"x"', '\u0000']) {
    const answer = await answerOf(createClient().post(apiPaths.login, undefined, { raw }));
    const message = 'Invalid input. Please check your information.';
    expect(answer, raw).toMatchObject({ status: 400, body: { message } });
  }
});

test('a body of another type than JSON is a 415; JSON may declare its charset', async () => {
  const { attempts } = fakeResend();
  const send = (type: string) => {
    const headers = { 'Content-Type': type };
    return answerOf(createClient().post(apiPaths.login, { email: uniqueEmail() }, { headers }));
  };
  const types = ['text/plain', 'multipart/form-data; boundary=x', 'application/json+evil', ''];
  for (const type of types) {
    expect(await send(type), type).toMatchObject(refusal(415, 'unsupported_media_type'));
  }
  expect((await send('Application/JSON; charset=utf-8')).status).toBe(404);
  expect(attempts).toHaveLength(0);
});

test.each([
  ['with its length', false, ''],
  ['without a length', true, ''],
  ['with a wrong length', false, '1'],
])('a body of 33 kB %s is a 413', async (_length, isStream, length) => {
  const text = JSON.stringify({ email: 'x'.repeat(33_000) });
  const raw = isStream ? new Blob([text]).stream() : text;
  const headers = length === '' ? {} : { 'Content-Length': length };
  const answer = await answerOf(createClient().post(apiPaths.login, undefined, { raw, headers }));

  expect(answer).toMatchObject(refusal(413, 'body_too_large'));
});

test('a body with 150,000 unknown fields gets a short answer', async () => {
  const { client, user } = await createSignedInClient();
  const cohort = await createCohortRow(await createCourseRow(user.id));
  const fields = Array.from({ length: 150_000 }, (_, index) => [`f${index}`, 1]);
  const raw = JSON.stringify(Object.fromEntries(fields));
  const path = `/api/cohorts/${cohort.id}/imports/`;
  const answer = await answerOf(client.post(path, undefined, { raw }));
  const text = JSON.stringify(answer.body);

  expect(answer).toMatchObject(refusal(400, 'validation_failed'));
  expect(text).toContain('This field is unknown.');
  expect(text.length).toBeLessThan(4_000);
});

function ada() {
  return { first_name: 'Ada', last_name: 'Lovelace', email: uniqueEmail() };
}

async function refusedField(client: Client, path: string, input: unknown, field: string) {
  const { status, body } = await answerOf<Invalid>(client.post(path, input));
  expect([status, body.code]).toEqual([400, 'validation_failed']);
  expect(Object.keys(body.fields)).toEqual([field]);
  expect(body.errors).toEqual(body.fields[field]);
  expect(body.errors).toHaveLength(1);
  return body.errors[0];
}
