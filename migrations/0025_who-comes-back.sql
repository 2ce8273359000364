-- Coming back reverses what was waived on leaving, and a charge of another price than that of the moment: the trigger
-- that charges, which runs later, then charges that. Charges by hand stay.
CREATE TRIGGER `enrollments_return` BEFORE UPDATE OF `status` ON `enrollments`
WHEN NEW.status = 'enrolled' AND OLD.status <> 'enrolled'
BEGIN
  INSERT INTO ledger_entries (id, owner_id, course_id, course_name, cohort_id, cohort_name, person_id, enrollment_id,
      kind, amount_minor, currency, reverses_id, source, created_by, created_at, created_by_user_id)
    SELECT lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2) || '-8'
        || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6))), x.owner_id, x.course_id, x.course_name, x.cohort_id,
      x.cohort_name, x.person_id, x.enrollment_id, x.kind, -x.amount_minor, x.currency, x.id, 'enrollment', NEW.changed_by,
      NEW.status_changed_at, CASE NEW.changed_by WHEN 'owner' THEN NEW.changed_by_user_id END
    FROM ledger_entries x
    WHERE x.enrollment_id = NEW.id AND x.cohort_id = NEW.cohort_id
      AND (x.kind = 'waiver' AND x.source = 'leaving' OR x.kind = 'charge' AND x.source = 'enrollment' AND x.amount_minor IS NOT
        (SELECT CASE WHEN NEW.status_changed_at < c.early_until_at THEN c.early_price_minor ELSE c.price_minor END
          FROM cohorts c WHERE c.id = NEW.cohort_id))
      AND x.reverses_id IS NULL AND NOT EXISTS (SELECT 1 FROM ledger_entries r WHERE r.reverses_id = x.id);
END;--> statement-breakpoint
-- Entries never change, except that the word for how someone paid, which may name them, is erased with them.
DROP TRIGGER `ledger_entries_never_change`;--> statement-breakpoint
CREATE TRIGGER `ledger_entries_never_change` BEFORE UPDATE OF `id`, `owner_id`, `course_id`, `course_name`, `cohort_id`,
  `cohort_name`, `person_id`, `enrollment_id`, `kind`, `amount_minor`, `currency`, `method`, `received_on`, `reverses_id`,
  `source`, `outside_id`, `created_by`, `created_at`, `idempotency_key`, `created_by_user_id` ON `ledger_entries`
BEGIN
  SELECT RAISE(ABORT, 'ledger_append_only');
END;--> statement-breakpoint
CREATE TRIGGER `ledger_entries_keep_word` BEFORE UPDATE OF `method_word` ON `ledger_entries`
WHEN NEW.method_word IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'ledger_append_only');
END;
