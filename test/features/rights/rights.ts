import { env } from 'cloudflare:workers';
import { expect } from 'vitest';
import { rightsLifetimeMs } from '#features/rights/rights-links.ts';
import { sealLink } from '#lib/signed-links.ts';
import { settled } from '#support/background.ts';
import { createClient } from '#support/client.ts';
import { contextOn } from '#support/context.ts';
import type { SentMail } from '#support/resend.ts';
import { sawSecret } from '#support/secrets.ts';

export type Linked = { id: string; linkVersion: number };

/** A token as an email has it. */
export async function tokenFor(
  purpose: 'data' | 'address' | 'remove',
  person: Linked,
  lifetime = rightsLifetimeMs[purpose],
): Promise<string> {
  const expiresAt = Date.now() + lifetime;
  const token = await sealLink(contextOn(), purpose, { ...person, expiresAt });
  sawSecret(token.split('.')[2] ?? '');
  return token;
}

export const linkFor = (person: Linked) => sealLink(contextOn(), 'person', person);

/** What a person asks for without a session. */
export async function call(path: string, input: unknown) {
  const response = await createClient().request('POST', `/api/participation/${path}/`, input);
  await settled();
  return response;
}

/** The token of the first link in an email that leads to a page of rights. */
export function rightsTokenIn(mail: SentMail | undefined, page: 'data' | 'address' | 'remove') {
  return new RegExp(`/p/${page}\\?token=([\\w.-]+)$`, 'm').exec(mail?.text ?? '')?.[1];
}

/** Every place in the database that contains a text, in any spelling: `table.column`. */
export async function placesOf(text: string): Promise<string[]> {
  const { results } = await env.DB.prepare(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_cf\\_%' ESCAPE '\\'",
  ).all<{ name: string }>();
  const found: string[] = [];
  for (const { name } of results) {
    const { results: rows } = await env.DB.prepare(`SELECT * FROM "${name}"`).all();
    for (const row of rows) {
      for (const [column, value] of Object.entries(row)) {
        if (String(value).toLowerCase().includes(text.toLowerCase())) {
          found.push(`${name}.${column}`);
        }
      }
    }
  }
  return [...new Set(found)].sort();
}

/** Asserts a refusal, and returns nothing. */
export async function expectRefusal(response: Response, status: number, code: string) {
  expect({ status: response.status, body: await response.json() }).toMatchObject({
    status,
    body: { code },
  });
}
