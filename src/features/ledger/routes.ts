import 'server-only';
import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { Context } from 'hono';
import { createFactory } from 'hono/factory';
import { Hono } from 'hono/tiny';
import * as z from 'zod/mini';
import { describe } from '#api/describe.ts';
import { jsonInput } from '#api/json-input.ts';
import { idempotencyKey, idempotencyKeyHeader, knownParameter, noContent } from '#api/request.ts';
import { findCohortRow } from '#features/cohorts/get-cohort.ts';
import { requireOwnCourse } from '#features/courses/list-courses.ts';
import { orNotFound, type ViewerContext } from '#features/identity/find-actor.ts';
import { requireViewer } from '#features/identity/require-viewer.ts';
import { findStanding } from '#features/outbox/standing.ts';
import { delimiters, fileDisposition } from '#lib/csv.ts';
import type { HonoEnv } from '#middleware/request-context.ts';
import { emailReceipt } from './email-receipt.ts';
import { findLedgerRows, type LedgerRows, ledgerFile } from './export-ledger.ts';
import { findBalance, findLedgerCohort, listBalances, listCourseTotals } from './find-balances.ts';
import {
  BalanceDetails,
  BalancePage,
  balanceFilters,
  ChargedPeople,
  CohortTotals,
  LedgerEntry,
  LedgerInput,
  RemindedPeople,
  ReverseInput,
  WrittenEntries,
} from './schema.ts';
import { chargeEnrolled, reverseEntry, writeEntries } from './write-entries.ts';
import { writeToDebtors } from './write-to-debtors.ts';

const keyHeader = {
  ...idempotencyKeyHeader,
  description: msg`Any text that is new for each request; the same request sent again with the same key writes nothing more`,
};

/** Writes to those of a cohort who owe something. */
function handlersOf(what: 'reminders' | 'questions', summary: MessageDescriptor) {
  return createFactory<HonoEnv>().createHandlers(
    describe({
      summary,
      answers: { 200: RemindedPeople },
      errors: ['cohort_archived', 'cohort_in_trash', 'messages_paused'],
    }),
    requireViewer((request) => ({
      cohort: findCohortRow(request.param('id') ?? ''),
      standing: findStanding,
    })),
    async (c) => {
      const { cohort, standing } = c.get('own');
      return c.json(await writeToDebtors(c.get('viewerCtx'), what, cohort, standing), 200);
    },
  );
}

const fileDescription = {
  answers: { 200: z.string() },
  answerHeaders: { 'Content-Disposition': msg`attachment, with the name of a file` },
  mediaTypes: ['text/csv'],
  query: { delimiter: delimiters },
};

type LedgerEnv = HonoEnv & {
  Variables: { viewerCtx: ViewerContext; own: { ledger: LedgerRows } };
};

async function sendLedger(c: Context<LedgerEnv>): Promise<Response> {
  const { ledger } = c.get('own');
  const { locale } = c.get('ctx').request;
  // Without one, that which spreadsheets in the language expect.
  const wanted = c.req.query('delimiter') ?? (locale === 'fr' ? ';' : ',');
  const delimiter = knownParameter(delimiters, 'delimiter', wanted);
  return c.body(await ledgerFile(ledger, delimiter, locale), 200, {
    'Content-Type': 'text/csv; charset=utf-8',
    'Content-Disposition': fileDisposition(ledger.names, 'ledger'),
  });
}

/** /api/courses/{id}: what the cohorts of one of the caller's courses add up to. */
export const paymentsOfCourse = new Hono<HonoEnv>()
  .get(
    '/:id/payments/',
    describe({
      summary: msg`What the cohorts of a course add up to: charged, paid and still owed`,
      answers: { 200: z.array(CohortTotals) },
    }),
    requireViewer((request) => ({
      course: requireOwnCourse(request.param('id') ?? ''),
      cohorts: listCourseTotals(request.param('id') ?? ''),
    })),
    (c) => c.json(c.get('own').cohorts),
  )
  .get(
    '/:id/ledger.csv',
    describe({
      ...fileDescription,
      summary: msg`All entries of a course in the order in which they were written, as a file for spreadsheets`,
    }),
    requireViewer((request) => ({ ledger: findLedgerRows('course', request.param('id') ?? '') })),
    sendLedger,
  );

/** /api/cohorts/{id}: the account of one of the caller's cohorts. */
export const paymentsOfCohort = new Hono<HonoEnv>()
  .get(
    '/:id/ledger/',
    describe({
      summary: msg`The accounts of a cohort by name, 100 at a time, with what all of them add up to`,
      answers: { 200: BalancePage },
      query: { show: balanceFilters, after: 'text' },
    }),
    requireViewer((request) => ({
      page: listBalances(request.param('id') ?? '', {
        filter: knownParameter(balanceFilters, 'show', request.query('show') ?? 'everyone'),
        after: request.query('after') ?? null,
      }),
    })),
    (c) => c.json(c.get('own').page),
  )
  .post(
    '/:id/ledger/',
    describe({
      summary: msg`Records a payment, a refund, a waiver or a charge for one or several people`,
      answers: { 201: WrittenEntries },
      errors: [
        'charged_already',
        'idempotency_key_reused',
        'more_than_owed',
        'more_than_paid',
        'nothing_owed',
        'nothing_paid',
        'price_required',
      ],
      headers: [keyHeader],
    }),
    requireViewer((request) => ({ cohort: findLedgerCohort(request.param('id') ?? '') })),
    jsonInput(LedgerInput),
    async (c) => {
      const { cohort } = c.get('own');
      const entries = await writeEntries(
        c.get('viewerCtx'),
        cohort,
        c.req.valid('json'),
        idempotencyKey(c),
      );
      return c.json({ entries }, 201);
    },
  )
  .get(
    '/:id/ledger/:enrollment/',
    describe({
      summary: msg`The account of someone in a cohort, with all its entries`,
      answers: { 200: BalanceDetails },
    }),
    requireViewer((request) => ({
      found: orNotFound(findBalance(request.param('id') ?? '', request.param('enrollment') ?? '')),
    })),
    (c) => c.json(c.get('own').found.balance),
  )
  .get(
    '/:id/ledger.csv',
    describe({
      ...fileDescription,
      summary: msg`All entries of a cohort in the order in which they were written, as a file for spreadsheets`,
    }),
    requireViewer((request) => ({ ledger: findLedgerRows('cohort', request.param('id') ?? '') })),
    sendLedger,
  )
  .post(
    '/:id/charges/',
    describe({
      summary: msg`Charges everyone enrolled who hasn’t been charged, because the price was set later`,
      answers: { 200: ChargedPeople },
      errors: ['cohort_in_trash', 'price_required'],
    }),
    requireViewer((request) => ({ cohort: findCohortRow(request.param('id') ?? '') })),
    async (c) =>
      c.json({ charged: await chargeEnrolled(c.get('viewerCtx'), c.get('own').cohort) }, 200),
  )
  .post(
    '/:id/payment-reminders/',
    ...handlersOf(
      'reminders',
      msg`Emails everyone enrolled who has agreed to take part and still owes something, but no one twice in a week`,
    ),
  )
  .post(
    '/:id/confirmation-requests/',
    ...handlersOf(
      'questions',
      msg`Asks everyone enrolled who owes something and hasn’t agreed to take part to confirm that they do, but no one twice in a week`,
    ),
  );

/** /api/ledger: the caller's own entries. */
export const ledger = new Hono<HonoEnv>()
  .post(
    '/:id/receipt/',
    describe({
      summary: msg`Emails a person the receipt for their payment, which isn’t an invoice`,
      answers: { 204: null },
      errors: ['no_receipt'],
    }),
    requireViewer(),
    (c) => noContent(c, emailReceipt(c.get('viewerCtx'), c.req.param('id'))),
  )
  .post(
    '/:id/reverse/',
    describe({
      summary: msg`Reverses an entry once, by another with the opposite sign; asking again returns that one`,
      answers: { 200: LedgerEntry },
      errors: ['entry_is_online', 'entry_is_reversal'],
    }),
    requireViewer(),
    jsonInput(ReverseInput),
    async (c) =>
      c.json(await reverseEntry(c.get('viewerCtx'), c.req.param('id'), c.req.valid('json')), 200),
  );
