import { expect, test } from 'vitest';
import { openSealedText, sealText } from '#lib/sealed-text.ts';
import { isGenuine, openLink, readLink, sealLink } from '#lib/signed-links.ts';
import { sign } from '#lib/tokens.ts';

const secret = 'a secret of the operator, 32 long';

test('values stored under a keyed hash are found by every later version', async () => {
  // HKDF and HMAC of RFC 5869 and 2104, computed by another implementation.
  expect(await sign('limit:mails', secret)).toBe(
    'e7d6fb18b0a59001dda4659414bdf23afbc7ae9bcb7595d9583dc6e1de91a6ea',
  );
});

test('another secret makes other hashes, and opens no sealed value', async () => {
  const sealed = await sealText('a bookmark', secret);

  expect(await openSealedText(sealed, secret)).toBe('a bookmark');
  expect(await openSealedText(sealed, `${secret}!`)).toBeNull();
  expect(await sign('limit:mails', `${secret}!`)).not.toBe(await sign('limit:mails', secret));
});

const ctx = { config: { appSecret: 'a-secret-of-thirty-two-characters' } };
const [id, time] = ['0b6e8f0a-3c52-4c8e-9d1f-2a7b5e4c1d90', 1_790_000_000_000];
const parts = { id, linkVersion: 3, expiresAt: time, madeAt: time };

// Made by the first version of each kind, as they stand in emails that were sent then.
const sent = {
  person: `${id}.3641330848a93668dbdfe714724dafff47d386ec2ab4aa744785a151df440181`,
  request: `${id}.${time}.b903910ec6dbb125c8c7069a8409dd7315adce6aa7d1aee40123c09990b166a0`,
  interest: `${id}.${time}.72fc1222832ba33bd76e631a92c19384f4ed9577d9f949916916d52162c41e04`,
  data: `${id}.${time}.72f8d0bf7d927333f13a053f0907fd54fb6e15061adff15723d07f700f542a4d`,
  address: `${id}.${time}.3e58ec8138b56cc2ad5eabbbf68c1f5c8b2a5fca1bc56a4e4672609f294d6299`,
  remove: `${id}.${time}.ec791ee7606ed6076f944c903be86db604baf1864ce0d5579c69baf7ecfdab53`,
  invitation: `invitation.${id}.30b64db9d8d161b4e30a0658d2fb22d5688c18d7cfd31bb2094b13e5caf2f08d`,
  reminder: `reminder.${id}.e4d665932aba69d6cf992bf92fc92fd8f3ee843becb2c6ab0a60d656233a891c`,
  news: `news.${id}.5cca1186e4d8bdfde33912df4b4b2d6c2683b278902522bf1133e04e1a776869`,
  personFeed: `p-${id}.733cc6bc4caa668111d0d8e6c177aab770409e71bf47dc29532a5d9f1c221d8a`,
  ownerFeed: `i-${id}.a578fac791675b4d1c037be6ff518dd08c5db43611ff99614dbd91ff926b9386`,
  form: `${time}.bf4303f43a281f6ed834a157a8586d2d90ecb9defbb522badaf1dbd2d8f1b67d`,
} as const;
type Kind = keyof typeof sent;
const kinds = Object.keys(sent) as Kind[];

test.each(kinds)('a %s link is made as ever, opens as ever, and as no other kind', async (kind) => {
  const opened = await Promise.all(
    kinds.map(async (other) => {
      const link = readLink(other, sent[kind]);
      return link !== null && (await isGenuine(ctx, other, { ...parts, ...link }));
    }),
  );

  expect(await sealLink(ctx, kind, parts)).toBe(sent[kind]);
  expect(kinds.filter((_, at) => opened[at])).toEqual([kind]);
});

test.each([
  ['another id', sent.request.replace('0b6e', '1b6e')],
  ['a later time', sent.request.replace('179', '180')],
  ['another signature', sent.request.replace(/0$/, '1')],
  ['more than a link', `${sent.request}.${time}`],
  ['less than a link', id],
  ['no text', undefined],
])('%s opens nothing', async (_, text) => {
  expect(await openLink(ctx, 'request', sent.request)).toMatchObject({ id, expiresAt: time });
  expect(await openLink(ctx, 'request', text)).toBeNull();
});

test('a link ends with its version, and with the secret', async () => {
  const { mac = '' } = readLink('person', sent.person) ?? {};
  const other = { config: { appSecret: `${ctx.config.appSecret}!` } };

  expect(await isGenuine(ctx, 'person', { id, linkVersion: 3, mac })).toBe(true);
  expect(await isGenuine(ctx, 'person', { id, linkVersion: 4, mac })).toBe(false);
  expect(await isGenuine(other, 'person', { id, linkVersion: 3, mac })).toBe(false);
});
