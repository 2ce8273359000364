import { expect, test } from 'vitest';
import { LimitsSetting, parseRate } from '#features/limits/limits.ts';
import { createClient } from '#support/client.ts';
import { takeNoise } from '#support/console.ts';

test.each([
  ['3/15m', { count: 3, seconds: 900 }],
  ['10/d', { count: 10, seconds: 86_400 }],
  ['1/s', { count: 1, seconds: 1 }],
  ['500/2h', { count: 500, seconds: 7_200 }],
])('%j is a valid rate', (text, rate) => {
  expect(parseRate(text)).toEqual(rate);
});

test('anything else is not a valid rate', () => {
  const texts = ['', '3', '3/', '3/15', '/15m', '0/m', '3/0m', '-3/m', '1.5/m', '3/w', ' 3/15m'];
  for (const text of [...texts, '3/15m,10/d', '1234567890/m', '3/123456m']) {
    expect(parseRate(text), text).toBeNull();
  }
});

test('a limit missing from the setting keeps its default, and an empty list is no limit', () => {
  const defaults = LimitsSetting.parse({});
  // What keeps strangers from filling mailboxes, guessing codes and asking who has an account.
  expect(defaults).toMatchObject({
    mails_per_address: [rate(3, 900), rate(10, 86_400)],
    mails_per_ip: [rate(10, 60), rate(50, 3_600)],
    unknown_addresses_per_ip: [rate(20, 3_600)],
    unknown_addresses: [rate(1000, 3_600)],
    confirmations_per_ip: [rate(20, 60)],
    codes_per_ip: [rate(20, 60), rate(100, 3_600)],
    codes_per_address: [rate(20, 900), rate(75, 86_400)],
    requests_per_ip: [rate(40, 3_600)],
    requests_per_address: [rate(10, 86_400)],
    exports_per_user: [rate(3, 86_400)],
  });
  expect(LimitsSetting.parse({ mails: ['2/h', '9/2d'], exports_per_user: [] })).toEqual({
    ...defaults,
    mails: [rate(2, 3_600), rate(9, 172_800)],
    exports_per_user: [],
  });
});

test.each([
  [{ mails: ['lots'] }],
  [{ mails: '2/h' }],
  [{ mails: ['4/d', '4/24h'] }],
  [{ male: ['2/h'] }],
  ['2/h'],
])('the malformed setting %j stops the app and is named only in the log', async (LIMITS) => {
  const response = await createClient().get('/api/health/', { bindings: { LIMITS } });
  const [line = ''] = takeNoise();

  expect(response.status).toBe(500);
  expect(await response.text()).not.toContain('LIMITS');
  expect(line).toContain('The setting LIMITS');
});

function rate(count: number, seconds: number) {
  return { count, seconds };
}
