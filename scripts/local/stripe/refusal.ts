import type { Answer } from './state.ts';

/** A call that Stripe refuses, with the body of its answer. */
export class Refusal extends Error {
  readonly answer: Answer;

  constructor(status: number, error: { type?: string; code?: string; message: string }) {
    super(error.message);
    this.answer = { status, body: { error: { type: 'invalid_request_error', ...error } } };
  }
}

/** @throws Refusal always, with 400 */
export function refuse(message: string, more: { code?: string; param?: string } = {}): never {
  throw new Refusal(400, { message, ...more });
}

/** @throws Refusal with 404 if there is none */
export function found<T>(row: T | undefined, what: string, id: string): T {
  if (row === undefined) {
    const message = `No such ${what}: '${id}'`;
    throw new Refusal(404, { code: 'resource_missing', message });
  }
  return row;
}
