import { expect } from 'vitest';
import { takeNoise } from './console.ts';

/** The status of an answer, and what its body says; null without one. */
export async function answerOf<Body = unknown>(asked: Response | Promise<Response>) {
  const response = await asked;
  const text = await response.text();
  const body: Body = text === '' ? null : JSON.parse(text);
  return { status: response.status, body };
}

/** A refusal, as `answerOf` returns it. */
export function refusal(status: number, code: string) {
  return { status, body: { code } };
}

/** Checks a failure, and that it was logged once, by its request id. */
export async function expectFailure(
  response: Response,
  status: number,
  said: { code: string; message: string },
): Promise<void> {
  const answer = await answerOf<{ request_id: string }>(response);
  expect(answer).toMatchObject({ status, body: said });
  const { request_id } = answer.body;
  expect(takeNoise().map((line) => JSON.parse(line))).toMatchObject([
    { event: 'failure', request_id },
  ]);
}
