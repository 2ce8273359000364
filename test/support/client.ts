import { env } from 'cloudflare:workers';
import { api } from '#api.ts';
import type { Bindings } from '#env.ts';
import { keepWork } from './background.ts';
import { breachOf } from './contract.ts';
import { sawSecret } from './secrets.ts';

export const origin = 'https://lectern.test';

let serial = 0;

/**
 * A network address that no other test browser has, so that client network limits do not add up.
 */
function newPlace(): string {
  serial += 1;
  return `10.${serial >> 16}.${(serial >> 8) & 255}.${serial & 255}`;
}

type Options = { headers?: Record<string, string>; bindings?: Partial<Bindings>; raw?: BodyInit };

/**
 * A browser as the API sees one: keeps cookies, sends its origin and, with every unsafe request,
 * the CSRF header.
 */
export function createClient() {
  const cookies = new Map<string, string>();
  const place = newPlace();

  async function request(method: string, path: string, input?: unknown, options: Options = {}) {
    const headers = new Headers({
      Origin: origin,
      'CF-Connecting-IP': place,
      Cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      'X-CSRFToken': cookies.get('__Host-csrftoken') ?? '',
    });
    const bytes = bytesIn(input);
    const body = options.raw ?? bytes ?? (input === undefined ? undefined : JSON.stringify(input));
    if (body !== undefined) {
      headers.set('Content-Type', bytes?.type ?? 'application/json');
      if (typeof body === 'string') {
        headers.set('Content-Length', String(new TextEncoder().encode(body).length));
      }
    }
    for (const [name, value] of Object.entries(options.headers ?? {})) {
      headers.set(name, value);
    }
    // An empty string means that the header is not sent.
    for (const [name, value] of [...headers]) {
      if (value === '') {
        headers.delete(name);
      }
    }
    const init = { method, headers, ...(body !== undefined && { body }) };
    const execution = {
      waitUntil: keepWork,
      passThroughOnException: () => {},
      props: {},
    };
    const bindings = { ...env, ...options.bindings };
    const response = await api.request(`${origin}${path}`, init, bindings, execution);
    // Every answer must match the API document.
    const breach = await breachOf(method, path, response);
    if (breach !== null) {
      throw new Error(breach);
    }
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      if (/Max-Age=0\b/.test(cookie)) {
        cookies.delete(name);
      } else {
        cookies.set(name, value);
        // The session, the CSRF token, the browser token, the cookies of a Google sign-in attempt,
        // and those of learners, which also have ids.
        sawSecret(value, ...value.split(/[.~]/).filter((part) => !/^[\da-f-]{36}$/.test(part)));
      }
    }
    return response;
  }

  /** Gets the token first, as a browser does by loading a page. */
  async function requestWithToken(...call: Parameters<typeof request>) {
    if (!cookies.has('__Host-csrftoken')) {
      await request('GET', '/api/health/');
    }
    return request(...call);
  }

  return {
    cookies,
    request,
    /** The status of an answer, and its JSON. */
    send: async <Body = unknown>(...call: Parameters<typeof request>) => {
      const response = await requestWithToken(...call);
      const text = await response.text();
      const body: Body = text === '' ? null : JSON.parse(text);
      return { status: response.status, body };
    },
    get: (path: string, options?: Options) => request('GET', path, undefined, options),
    post: (path: string, input?: unknown, options?: Options) =>
      requestWithToken('POST', path, input, options),
  };
}

/** What a data URL holds: examples have the pictures that they send in one. */
function bytesIn(input: unknown): Blob | undefined {
  const [, type = '', text] = /^data:([^;]+);base64,(.*)$/.exec(String(input)) ?? [];
  return text === undefined
    ? undefined
    : new Blob([Uint8Array.from(atob(text), (character) => character.charCodeAt(0))], { type });
}

export type Client = ReturnType<typeof createClient>;
