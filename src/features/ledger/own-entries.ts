import 'server-only';
import { sql } from 'drizzle-orm';
import type { LedgerKind, PaymentMethod } from '#db/values.ts';

/** An entry as the person sees it whom it is about: without what their instructor has noted. */
export type OwnEntry = {
  id: string;
  kind: LedgerKind;
  amount: number;
  currency: string;
  method: PaymentMethod | null;
  day: string | null;
  /** Whether it was reversed, or reverses another. */
  isUndone: 0 | 1;
};

/** The account of enrollment `e` as JSON. */
export const ownEntries = sql<string>`(SELECT json_group_array(json_object('id', l.id,
    'kind', l.kind, 'amount', l.amount_minor, 'currency', l.currency, 'method', l.method,
    'day', l.received_on, 'isUndone', l.reverses_id IS NOT NULL OR EXISTS
      (SELECT 1 FROM ledger_entries r WHERE r.reverses_id = l.id)))
  FROM ledger_entries l WHERE l.enrollment_id = e.id AND l.cohort_id = e.cohort_id)`;
