import { expect, test } from 'vitest';
import { payee, read, serveEmpty } from './pages.ts';
import {
  type BuiltWorker,
  createCohort,
  createParticipant,
  createVisitor,
  make,
  requestPlace,
  signUpPerson,
  type Visitor,
} from './worker.ts';

let built: BuiltWorker;
let ada: Visitor;
let nobody: Visitor;

serveEmpty(async (worker) => {
  built = worker;
  nobody = createVisitor(built.server);
  const person = { email: payee, firstName: 'Ada', lastName: 'Lovelace' };
  ada = await signUpPerson(built, { ...person, courseName: 'Writing' });
});

/** A cohort that costs 240 euros, with someone in it. */
async function createPayer(mode: string) {
  const cohort = await createCohort(ada, { price_minor: 24_000, currency: 'EUR' });
  await built.setCohort(cohort, `payment_mode = '${mode}'`);
  return { cohort, ...(await createParticipant(built, ada, cohort)) };
}

const pageOf = ({ link }: { link: string }) => read(nobody, `/p/${link}?lang=en`);

/** Keeps a place for 50 minutes, until it is paid. */
function hold(enrollmentId: string) {
  return built.sql(
    `UPDATE enrollments SET status = 'offered', expires_at = ${Date.now() + 3_000_000} WHERE id = ?`,
    enrollmentId,
  );
}

test('a place that is kept says until when, what it costs less what was paid, and how to pay', async () => {
  const payer = await createPayer('online_first');
  await hold(payer.enrollmentId);
  const kept = await pageOf(payer);
  expect(kept).toMatch(/Your place is kept until \d+:\d\d\s[AP]M\..+ left · .+ in /);
  expect(kept).toContain('Price €240.00 You pay Ada Lovelace €240');
  expect(kept).toMatch(/Pay €240.*Decline/);
  expect(kept).not.toContain('Accept the place');
  await built.setCohort(payer.cohort, "refund_note = 'None after the first session.'");
  expect(await pageOf(payer)).toContain('Pay €240 Refunds: None after the first session.');

  await built.sql(
    `INSERT INTO ledger_entries (id, owner_id, course_id, course_name, cohort_id, cohort_name,
      person_id, enrollment_id, kind, amount_minor, currency, method, received_on, source,
      created_by, created_at)
    SELECT 'paid', owner_id, '', '', cohort_id, '', person_id, id, 'payment', -4000, 'EUR', 'cash',
      '2026-10-20', 'manual', 'owner', 1 FROM enrollments WHERE id = ?`,
    payer.enrollmentId,
  );
  expect(await pageOf(payer)).toContain(
    'Price €240.00 Already on your account −€40.00 You pay Ada Lovelace €200',
  );
});

test('what is owed is paid online or to the instructor, as the cohort says', async () => {
  const payer = await createPayer('online');
  await built.setCohort(payer.cohort, "payment_note = 'By transfer.'");
  const online = await pageOf(payer);
  await built.setCohort(payer.cohort, "payment_mode = 'own'");
  const own = await pageOf(payer);

  expect(online).toContain('Still to pay: €240');
  expect(online).toContain('Pay online');
  expect(online).not.toContain('By transfer.');
  expect(own).toContain('By transfer.');
  expect(own).toContain('It doesn’t take payments.');
  expect(own).not.toContain('Pay online');
});

test('once the price is paid, it is no longer payable to anyone; once it is refunded, nothing is', async () => {
  const payer = await createPayer('own');
  const write = (kind: string, amount: number) =>
    built.sql(
      `INSERT INTO ledger_entries (id, owner_id, course_id, course_name, cohort_id, cohort_name,
        person_id, enrollment_id, kind, amount_minor, currency, method, received_on, source,
        created_by, created_at)
      SELECT '${crypto.randomUUID()}', owner_id, '', '', cohort_id, '', person_id, id, '${kind}', ${amount}, 'EUR',
        ${kind === 'waiver' ? 'NULL, NULL' : "'cash', '2026-10-20'"}, 'manual', 'owner', 1
      FROM enrollments WHERE id = ?`,
      payer.enrollmentId,
    );
  expect(await pageOf(payer)).toContain('Price €240, payable to Ada Lovelace');
  await write('payment', -24_000);
  expect(await pageOf(payer)).toContain('Price €240, paid');
  await write('refund', 24_000);
  await write('waiver', -24_000);
  expect(await pageOf(payer)).not.toContain('Price');
});

test('the page to which Stripe leads back tells everyone where a payment stands, and no one whose it is', async () => {
  const payer = await createPayer('online');
  const place = { link: payer.link, enrollment_id: payer.enrollmentId };
  type Opened = { checkout_id: string; url: string };
  const path = '/api/participation/checkout/';
  const { checkout_id: id, url } = await make<Opened>(nobody, path, place);
  const page = await (await fetch(url)).text();
  const [, address = ''] = /href="https:\/\/lectern\.test(\/p\/paid\?c=[\w.-]+)"/.exec(page) ?? [];
  const { headers } = await nobody.get(address, { 'Accept-Language': 'fr' });
  expect(headers['location']).toBe(`${address}&lang=en`);

  const state = async (status: string) => {
    await built.sql(`UPDATE checkouts SET status = '${status}' WHERE id = ?`, id);
    return read(nobody, `${address}&lang=en`);
  };
  const [open, paid] = [await state('open'), await state('paid')];
  expect(open).toContain('Stripe hasn’t told us of this payment yet.');
  expect(paid).toContain('Your payment has arrived.');
  const forged = address.replace(/.{8}$/, '00000000');
  for (const other of [forged, '/p/paid?c=%', '/p/paid']) {
    const text = await read(nobody, `${other}${other.includes('?') ? '&' : '?'}lang=en`);
    expect(text).toContain('use the link in your email');
    expect(text).not.toContain('has arrived');
  }
  expect(open + paid).not.toMatch(/Grace|Ada|Winter|240/);
});

test('a payment that waits is said without coming back from Stripe, and is not asked for twice', async () => {
  const payer = await createPayer('online');
  const insert = (status: string, more: string) =>
    built.sql(
      `INSERT INTO checkouts (id, owner_id, course_id, course_name, cohort_id, cohort_name,
        enrollment_id, person_id, amount_minor, currency, status, problem, decide_by, expires_at,
        created_at)
      SELECT '${crypto.randomUUID()}', owner_id, '', '', cohort_id, '', id, person_id, 24000, 'EUR',
        '${status}', ${more}, 1, 1 FROM enrollments WHERE id = ?`,
      payer.enrollmentId,
    );
  await insert('confirming', 'NULL, NULL');
  const confirming = await pageOf(payer);
  await insert('paid', `'no_place', ${Date.now() + 3_600_000}`);

  expect(confirming).toContain('Your bank is still confirming this payment.');
  expect(confirming).not.toContain('Pay online');
  expect(await pageOf(payer)).toMatch(
    /Ada Lovelace decides until .+ Otherwise, you’re refunded in full/,
  );
});

test('visitors read how and when they pay for a place', async () => {
  const { cohort, link, enrollmentId } = await createPayer('online_first');
  const token = await requestPlace(built, cohort);
  const confirm = `/p/confirm?token=${token}&lang=en`;
  const first = await read(nobody, `/c/${cohort.slug}?lang=en`);
  expect(first).toContain('your place is kept for an hour while you pay €240 by card.');
  expect(await read(nobody, confirm)).toContain('Your place is then kept for an hour.');

  await built.setCohort(cohort, "payment_mode = 'online'");
  expect(await read(nobody, `/c/${cohort.slug}?lang=en&at=1`)).toContain('You pay Ada online once');
  expect(await read(nobody, confirm)).not.toContain('kept for an hour');
  await built.sql("UPDATE users SET email = 'grace@example.com'");
  const none = await read(nobody, `/c/${cohort.slug}?lang=en&at=2`);
  const unable = await pageOf({ link });
  await built.setCohort(cohort, "payment_mode = 'online_first'");
  await hold(enrollmentId);
  const heldUnable = await pageOf({ link });
  await built.sql('UPDATE users SET email = ?', payee);

  expect(none).not.toMatch(/You pay|directly|Stripe/);
  for (const page of [unable, heldUnable]) {
    expect(page).toContain('Ada Lovelace takes no online payments at the moment.');
    expect(page).not.toMatch(/Pay (online|€240)/);
  }
  expect(heldUnable).toContain('Your place is kept until');
});
