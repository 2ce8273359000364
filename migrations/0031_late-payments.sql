-- However someone gets in who has paid too late: then nothing goes back to them.
CREATE TRIGGER `enrollments_settle_payment` AFTER UPDATE OF `status` ON `enrollments`
WHEN NEW.status = 'enrolled' AND OLD.status <> 'enrolled'
BEGIN
  UPDATE checkouts SET problem = NULL, decide_by = NULL
    WHERE enrollment_id = NEW.id AND problem = 'no_place' AND NOT EXISTS (SELECT 1 FROM refunds_wanted w
      WHERE w.checkout_id = checkouts.id AND w.done_at IS NULL AND w.failed_at IS NULL);
END;--> statement-breakpoint
-- Who keeps a place until they pay for it takes part by their own will.
DROP TRIGGER `balances_add_up`;--> statement-breakpoint
CREATE TRIGGER `balances_add_up` AFTER UPDATE OF `is_stale` ON `balances`
WHEN NEW.is_stale = 1
BEGIN
  UPDATE balances SET is_stale = 0, name_key = n.name_key, status = n.status, has_agreed = n.has_agreed,
      charged = n.charged, waived = n.waived, paid = n.paid, refunded = n.refunded, balance = n.balance,
      is_owed = NOT n.has_ended OR n.owes_after_leaving,
      list = CASE
        WHEN n.status IS NULL THEN
          CASE WHEN n.balance <> 0 OR n.charged <> 0 OR n.waived <> 0 OR n.paid <> 0 OR n.refunded <> 0 THEN 'gone' END
        WHEN NOT n.has_ended OR n.owes_after_leaving THEN CASE WHEN n.balance > 0 THEN 'owing' END
        -- The owner decides about the account when they mark someone as left.
        WHEN n.status = 'left' AND n.changed_by = 'owner' THEN NULL
        WHEN n.balance > 0 OR n.paid > n.refunded THEN 'left' END
    FROM (SELECT *, max(charged - waived - paid + refunded, min(0, refunded - paid)) AS balance,
        coalesce(status IN ('declined', 'refused', 'expired', 'left', 'removed'), 0) AS has_ended
      FROM (SELECT coalesce(p.name_key, NEW.name_key) AS name_key, e.status, e.changed_by,
          coalesce(e.owes_after_leaving, 0) AS owes_after_leaving,
          coalesce(p.consented_at >= coalesce(p.corrected_at, 0), 0) OR EXISTS (SELECT 1
            FROM enrollments y CROSS JOIN enrollment_events v ON v.owner_id = y.owner_id AND v.enrollment_id = y.id
            WHERE y.person_id = p.id AND y.owner_id = p.owner_id AND v.actor = 'person'
              AND v.at >= coalesce(p.corrected_at, 0) AND v.to_status IN ('applied', 'waitlisted', 'offered', 'enrolled')) AS has_agreed,
          l.charged, l.waived, l.paid, l.refunded
        FROM (SELECT coalesce(sum(CASE kind WHEN 'charge' THEN amount_minor END), 0) AS charged,
              coalesce(sum(CASE kind WHEN 'waiver' THEN -amount_minor END), 0) AS waived,
              coalesce(sum(CASE kind WHEN 'payment' THEN -amount_minor END), 0) AS paid,
              coalesce(sum(CASE kind WHEN 'refund' THEN amount_minor END), 0) AS refunded
            FROM ledger_entries WHERE enrollment_id = NEW.enrollment_id AND cohort_id = NEW.cohort_id) l
          LEFT JOIN people p ON p.id = NEW.person_id
          LEFT JOIN enrollments e ON e.id = NEW.enrollment_id AND e.cohort_id = NEW.cohort_id)) n
    WHERE balances.enrollment_id = NEW.enrollment_id AND balances.cohort_id = NEW.cohort_id;
END;
