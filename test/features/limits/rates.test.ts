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
  expect(defaults).toEqual({
    mails_per_address: [rate(3, 900), rate(10, 86_400)],
    mails_per_address_reserved: [rate(3, 900), rate(10, 86_400)],
    sign_ups_per_address: [rate(3, 900), rate(10, 86_400)],
    mails_per_ip: [rate(10, 60), rate(50, 3_600)],
    unknown_addresses_per_ip: [rate(20, 3_600)],
    unknown_addresses: [rate(1000, 3_600)],
    mails: [rate(500, 3_600)],
    mails_to_unproven: [rate(300, 3_600)],
    confirmations_per_ip: [rate(20, 60)],
    codes_per_ip: [rate(20, 60), rate(100, 3_600)],
    codes_per_address: [rate(20, 900), rate(75, 86_400)],
    google_starts_per_ip: [rate(20, 60)],
    google_callbacks_per_ip: [rate(20, 60)],
    address_changes_per_user: [rate(5, 86_400)],
    courses_per_user: [rate(10, 60), rate(100, 86_400)],
    cohorts_per_user: [rate(20, 60), rate(200, 86_400)],
    requests_per_ip: [rate(40, 3_600)],
    participation_per_ip: [rate(60, 60)],
    requests_per_address: [rate(10, 86_400)],
    same_requests_per_address: [rate(3, 86_400)],
    data_links_per_person: [rate(5, 3_600)],
    cohort_requests: [rate(200, 3_600)],
    invitations_per_user: [rate(100, 86_400)],
    proven_invitations_per_user: [rate(500, 86_400)],
    imports_per_user: [rate(10, 3_600)],
    import_previews_per_user: [rate(60, 3_600)],
    cohort_mails_per_address: [rate(10, 86_400)],
    owner_mails_per_address: [rate(7, 86_400)],
    bulk_mails_per_owner: [rate(300, 3_600)],
    stranger_bulk_mails_per_owner: [rate(200, 86_400)],
    notices_per_cohort: [rate(5, 86_400)],
    notices_per_owner: [rate(30, 86_400)],
    cohort_mails: [rate(4_000, 3_600), rate(20_000, 86_400)],
    unasked_cohort_mails: [rate(3_000, 3_600), rate(16_000, 86_400)],
    previews_per_user: [rate(20, 3_600)],
    messages_per_cohort: [rate(3, 86_400)],
    announcements_per_cohort: [rate(10, 86_400)],
    ledger_writes_per_user: [rate(120, 60), rate(5_000, 86_400)],
    payment_reminders_per_cohort: [rate(5, 86_400)],
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
  [{ mails: null }],
  [{ male: ['2/h'] }],
  [{ toString: ['2/h'] }],
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
