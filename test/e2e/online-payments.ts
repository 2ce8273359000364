import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { writeRow, writeRows } from './rows.ts';
import { askApi, expect } from './support.ts';

/**
 * Connects the instructor who is signed in to Stripe, and lets people pay online in a cohort.
 *
 * @returns what pauses the account at Stripe, which then takes no payments
 */
export async function payOnline(
  page: Page,
  cohortId: string,
  mode: 'online' | 'online_first' = 'online_first',
): Promise<{ pause: () => Promise<void> }> {
  const begun = await askApi(page, 'POST', '/api/payment-account/', { country: 'FR' });
  const { redirect_to: form } = begun as { redirect_to: string };
  const [account] = /acct_\w+/.exec(await (await page.request.get(form)).text()) ?? [];
  // At the stand-in, which then leads back.
  const finished = await page.request.post(form, { form: { how: 'finish' }, maxRedirects: 0 });
  expect(finished.status()).toBe(303);
  await askApi(page, 'POST', '/api/payment-account/check/');
  await askApi(page, 'PATCH', `/api/cohorts/${cohortId}/`, { payment_mode: mode });
  return {
    pause: async () => {
      const data = { action: 'pause', id: account };
      await page.request.post(`${new URL(form).origin}/_control/act`, { data });
    },
  };
}

type Paid = {
  enrollment: string;
  minor: number;
  problem?: string;
  dueInHours?: number;
};

/** Writes that people in a cohort have paid online, as if Stripe had said so. */
export function writePayments(cohortId: string, payments: Paid[]): Promise<void> {
  return writeRows(cohortId, payments.flatMap(rowsOf));
}

/** A payment and its entry. */
function rowsOf({ enrollment, minor, problem, dueInHours }: Paid) {
  const [id, payment, now] = [randomUUID(), `pi_${randomUUID()}`, Date.now()];
  const decideBy = dueInHours === undefined ? 'NULL' : now + dueInHours * 3_600_000;
  const checkout = [
    `INSERT INTO checkouts (id, owner_id, course_id, course_name, cohort_id, cohort_name,
        enrollment_id, person_id, payment_intent, amount_minor, currency, status, problem, decide_by,
        paid_minor, paid_currency, paid_at, expires_at, created_at)
      SELECT ?, e.owner_id, c.course_id, k.name, c.id, c.name, e.id, e.person_id, ?, ${minor},
        'CAD', 'paid', nullif('${problem ?? ''}', ''), ${decideBy},
        ${minor}, 'CAD', ${now}, ${now}, ${now}
      FROM enrollments e JOIN cohorts c ON c.id = e.cohort_id JOIN courses k ON k.id = c.course_id
      WHERE e.id = ? AND c.id = ?`,
    ...[id, payment, enrollment],
  ] as const;
  const entry = [
    `INSERT INTO ledger_entries (id, owner_id, course_id, course_name, cohort_id, cohort_name,
        person_id, enrollment_id, kind, amount_minor, currency, method, received_on, source,
        outside_id, created_by, created_at)
      SELECT ?, o.owner_id, o.course_id, o.course_name, o.cohort_id, o.cohort_name, o.person_id,
        o.enrollment_id, 'payment', -o.paid_minor, o.paid_currency, 'online', '2026-10-21',
        'stripe', o.payment_intent, 'person', o.paid_at
      FROM checkouts o WHERE o.id = ? AND o.cohort_id = ?`,
    ...[randomUUID(), id],
  ] as const;
  return [checkout, entry];
}

/** Stripe pauses the account of the owner of a cohort. */
export function pauseAccount(cohortId: string): Promise<void> {
  return writeRow(
    cohortId,
    `UPDATE payment_accounts SET charges_enabled = 0,
        due_json = '["identity.individual.documents.primary_verification"]'
      WHERE owner_id = (SELECT c.owner_id FROM cohorts c WHERE c.id = ?)`,
  );
}
