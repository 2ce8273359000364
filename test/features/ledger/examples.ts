import type { Examples } from '#support/examples.ts';

const cohort = {
  name: 'Writing in summer',
  starts_on: '2031-06-02',
  ends_on: '2031-07-11',
  time_zone: 'Europe/Paris',
  price_minor: 24_000,
  currency: 'EUR',
};

const received = { method: 'transfer', received_on: '2026-11-20' };

export const examples: Examples = {
  'PATCH /api/courses/{course}/': { input: { course_type: 'cohort' }, makes: 'paidCourse' },
  'POST /api/courses/{paidCourse}/cohorts/': { input: cohort, makes: 'paidCohort' },
  'POST /api/cohorts/{paidCohort}/enrollments/': {
    input: { as: 'enrolled', name: 'Hedy Lamarr', email: 'hedy.pays.{account}@example.com' },
    makes: 'payer',
  },
  'POST /api/cohorts/{paidCohort}/charges/': { status: 200 },
  'POST /api/cohorts/{paidCohort}/payment-reminders/': {
    status: 200,
    limit: 'payment_reminders_per_cohort',
  },
  'POST /api/cohorts/{paidCohort}/confirmation-requests/': {
    status: 200,
    limit: 'payment_reminders_per_cohort',
  },
  'POST /api/cohorts/{paidCohort}/ledger/': {
    input: {
      kind: 'payment',
      enrollments: ['{payer}'],
      amount_minor: 100,
      ...received,
      note: 'First half',
    },
    makes: 'payment',
    limit: 'ledger_writes_per_user',
  },
  'POST /api/ledger/{payment}/receipt/': { status: 204 },
  'POST /api/cohorts/{paidCohort}/enrollments/{payer}/settle/': { input: {}, status: 422 },
  'POST /api/cohorts/{paidCohort}/enrollments/{payer}/left/': {
    input: { note: 'Moved', notify: false, money: 'keep', balance_minor: 23_900, paid_minor: 100 },
    status: 200,
  },
  'POST /api/ledger/{payment}/reverse/': { input: { note: 'Entered twice' }, status: 200 },
  'GET /api/cohorts/{paidCohort}/ledger/': {},
  'GET /api/cohorts/{paidCohort}/ledger/{payer}/': {},
  'GET /api/cohorts/{paidCohort}/checkouts/': {},
  // No one has paid online; support/participants.ts has those who have.
  'POST /api/checkouts/{payer}/refunds/': { input: {}, status: 404 },
  'POST /api/checkouts/{payer}/let-in/': { input: {}, status: 404 },
  'POST /api/checkouts/{payer}/check/': { status: 404 },
  'DELETE /api/checkouts/{payer}/problem/': { status: 404 },
  'GET /api/cohorts/{paidCohort}/ledger.csv': {},
  'GET /api/courses/{paidCourse}/payments/': {},
  'GET /api/courses/{paidCourse}/ledger.csv': {},
};
