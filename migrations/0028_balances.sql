CREATE TABLE `run_statuses` (
	`cohort_id` text NOT NULL,
	`status` text NOT NULL,
	`owner_id` text NOT NULL,
	`people` integer NOT NULL,
	PRIMARY KEY(`cohort_id`, `status`),
	FOREIGN KEY (`owner_id`,`cohort_id`) REFERENCES `cohorts`(`owner_id`,`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `run_statuses_cohort_index` ON `run_statuses` (`owner_id`,`cohort_id`);--> statement-breakpoint
CREATE TABLE `balance_totals` (
	`cohort_id` text PRIMARY KEY NOT NULL,
	`owner_id` text NOT NULL,
	`course_id` text NOT NULL,
	`currency` text NOT NULL,
	`charged` integer DEFAULT 0 NOT NULL,
	`waived` integer DEFAULT 0 NOT NULL,
	`paid` integer DEFAULT 0 NOT NULL,
	`refunded` integer DEFAULT 0 NOT NULL,
	`owed` integer DEFAULT 0 NOT NULL,
	`overpaid` integer DEFAULT 0 NOT NULL,
	`accounts` integer DEFAULT 0 NOT NULL,
	`owing` integer DEFAULT 0 NOT NULL,
	`paid_in_full` integer DEFAULT 0 NOT NULL,
	`paid_in_part` integer DEFAULT 0 NOT NULL,
	`with_refund` integer DEFAULT 0 NOT NULL,
	`to_settle` integer DEFAULT 0 NOT NULL,
	`gone` integer DEFAULT 0 NOT NULL,
	`enrolled` integer DEFAULT 0 NOT NULL,
	`enrolled_charged` integer DEFAULT 0 NOT NULL,
	`enrolled_owing` integer DEFAULT 0 NOT NULL,
	`enrolled_owed` integer DEFAULT 0 NOT NULL,
	`enrolled_paid` integer DEFAULT 0 NOT NULL,
	`enrolled_waived` integer DEFAULT 0 NOT NULL,
	`not_agreed` integer DEFAULT 0 NOT NULL,
	FOREIGN KEY (`owner_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `balance_totals_course_index` ON `balance_totals` (`owner_id`,`course_id`);--> statement-breakpoint
CREATE TABLE `balances` (
	`enrollment_id` text NOT NULL,
	`cohort_id` text NOT NULL,
	`owner_id` text NOT NULL,
	`person_id` text NOT NULL,
	`name_key` text DEFAULT '' NOT NULL,
	`status` text,
	`has_agreed` integer DEFAULT false NOT NULL,
	`charged` integer DEFAULT 0 NOT NULL,
	`waived` integer DEFAULT 0 NOT NULL,
	`paid` integer DEFAULT 0 NOT NULL,
	`refunded` integer DEFAULT 0 NOT NULL,
	`balance` integer DEFAULT 0 NOT NULL,
	`is_owed` integer DEFAULT true NOT NULL,
	`list` text,
	`is_stale` integer DEFAULT false NOT NULL,
	PRIMARY KEY(`enrollment_id`, `cohort_id`),
	FOREIGN KEY (`owner_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `balances_list_index` ON `balances` (`cohort_id`,`list`,`name_key`,`enrollment_id`);--> statement-breakpoint
CREATE INDEX `balances_ended_index` ON `balances` (`cohort_id`,`name_key`,`enrollment_id`) WHERE "balances"."status" <> 'enrolled';--> statement-breakpoint
CREATE INDEX `balances_person_index` ON `balances` (`owner_id`,`person_id`);--> statement-breakpoint
DROP INDEX `ledger_entries_sums_index`;--> statement-breakpoint
CREATE INDEX `ledger_entries_course_index` ON `ledger_entries` (`owner_id`,`course_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `enrollments_there_index` ON `enrollments` (`cohort_id`,`name_key`,`id`) WHERE "enrollments"."status" IN ('enrolled', 'offered', 'invited');--> statement-breakpoint
CREATE INDEX `enrollments_status_index` ON `enrollments` (`cohort_id`,`status`,`name_key`,`id`);--> statement-breakpoint
-- The triggers are by hand, because drizzle-kit writes none.
CREATE TRIGGER `balances_count_account` AFTER INSERT ON `balances`
BEGIN
  INSERT INTO balance_totals (cohort_id, owner_id, course_id, currency, accounts)
    SELECT x.cohort_id, x.owner_id, x.course_id, x.currency, 1 FROM ledger_entries x
      WHERE x.enrollment_id = NEW.enrollment_id AND x.cohort_id = NEW.cohort_id LIMIT 1
    ON CONFLICT (cohort_id) DO UPDATE SET accounts = accounts + 1;
END;--> statement-breakpoint
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
              AND v.at >= coalesce(p.corrected_at, 0) AND v.to_status IN ('applied', 'waitlisted', 'enrolled')) AS has_agreed,
          l.charged, l.waived, l.paid, l.refunded
        FROM (SELECT coalesce(sum(CASE kind WHEN 'charge' THEN amount_minor END), 0) AS charged,
              coalesce(sum(CASE kind WHEN 'waiver' THEN -amount_minor END), 0) AS waived,
              coalesce(sum(CASE kind WHEN 'payment' THEN -amount_minor END), 0) AS paid,
              coalesce(sum(CASE kind WHEN 'refund' THEN amount_minor END), 0) AS refunded
            FROM ledger_entries WHERE enrollment_id = NEW.enrollment_id AND cohort_id = NEW.cohort_id) l
          LEFT JOIN people p ON p.id = NEW.person_id
          LEFT JOIN enrollments e ON e.id = NEW.enrollment_id AND e.cohort_id = NEW.cohort_id)) n
    WHERE balances.enrollment_id = NEW.enrollment_id AND balances.cohort_id = NEW.cohort_id;
END;--> statement-breakpoint
CREATE TRIGGER `balances_count` AFTER UPDATE ON `balances`
WHEN OLD.is_stale = 1 AND NEW.is_stale = 0
BEGIN
  UPDATE balance_totals SET
      charged = charged + NEW.charged - OLD.charged,
      waived = waived + NEW.waived - OLD.waived,
      paid = paid + NEW.paid - OLD.paid,
      refunded = refunded + NEW.refunded - OLD.refunded,
      owed = owed + NEW.is_owed * max(NEW.balance, 0) - OLD.is_owed * max(OLD.balance, 0),
      overpaid = overpaid + max(-NEW.balance, 0) - max(-OLD.balance, 0),
      owing = owing + (NEW.is_owed AND NEW.balance > 0) - (OLD.is_owed AND OLD.balance > 0),
      paid_in_full = paid_in_full + (NEW.balance <= 0 AND NEW.paid > NEW.refunded)
        - (OLD.balance <= 0 AND OLD.paid > OLD.refunded),
      paid_in_part = paid_in_part + (NEW.balance > 0 AND NEW.paid > NEW.refunded)
        - (OLD.balance > 0 AND OLD.paid > OLD.refunded),
      with_refund = with_refund + (NEW.refunded > 0) - (OLD.refunded > 0),
      to_settle = to_settle + (NEW.list IS 'left') - (OLD.list IS 'left'),
      gone = gone + (NEW.list IS 'gone') - (OLD.list IS 'gone'),
      enrolled = enrolled + (NEW.status IS 'enrolled') - (OLD.status IS 'enrolled'),
      enrolled_charged = enrolled_charged + (NEW.status IS 'enrolled' AND NEW.charged > 0)
        - (OLD.status IS 'enrolled' AND OLD.charged > 0),
      enrolled_owing = enrolled_owing + (NEW.status IS 'enrolled' AND NEW.balance > 0)
        - (OLD.status IS 'enrolled' AND OLD.balance > 0),
      enrolled_owed = enrolled_owed + (NEW.status IS 'enrolled') * max(NEW.balance, 0)
        - (OLD.status IS 'enrolled') * max(OLD.balance, 0),
      enrolled_paid = enrolled_paid + (NEW.status IS 'enrolled' AND NEW.balance <= 0 AND NEW.paid > NEW.refunded)
        - (OLD.status IS 'enrolled' AND OLD.balance <= 0 AND OLD.paid > OLD.refunded),
      enrolled_waived = enrolled_waived
        + (NEW.status IS 'enrolled' AND NEW.balance <= 0 AND NEW.paid <= NEW.refunded AND NEW.waived > 0)
        - (OLD.status IS 'enrolled' AND OLD.balance <= 0 AND OLD.paid <= OLD.refunded AND OLD.waived > 0),
      not_agreed = not_agreed + (NEW.status IS 'enrolled' AND NEW.balance > 0 AND NOT NEW.has_agreed)
        - (OLD.status IS 'enrolled' AND OLD.balance > 0 AND NOT OLD.has_agreed)
    WHERE cohort_id = NEW.cohort_id;
END;--> statement-breakpoint
CREATE TRIGGER `ledger_entries_balance` AFTER INSERT ON `ledger_entries`
BEGIN
  INSERT INTO balances (enrollment_id, cohort_id, owner_id, person_id)
    VALUES (NEW.enrollment_id, NEW.cohort_id, NEW.owner_id, NEW.person_id) ON CONFLICT DO NOTHING;
  UPDATE balances SET is_stale = 1 WHERE enrollment_id = NEW.enrollment_id AND cohort_id = NEW.cohort_id;
END;--> statement-breakpoint
CREATE TRIGGER `enrollments_balance_on_update`
AFTER UPDATE OF `status`, `changed_by`, `owes_after_leaving`, `cohort_id` ON `enrollments`
BEGIN
  UPDATE balances SET is_stale = 1 WHERE enrollment_id = NEW.id;
END;--> statement-breakpoint
CREATE TRIGGER `enrollments_balance_on_delete` AFTER DELETE ON `enrollments`
BEGIN
  UPDATE balances SET is_stale = 1 WHERE owner_id = OLD.owner_id AND person_id = OLD.person_id;
END;--> statement-breakpoint
CREATE TRIGGER `enrollment_events_balance` AFTER INSERT ON `enrollment_events`
WHEN NEW.actor = 'person' AND NEW.to_status IN ('applied', 'waitlisted', 'enrolled')
BEGIN
  UPDATE balances SET is_stale = 1 WHERE owner_id = NEW.owner_id
    AND person_id = (SELECT e.person_id FROM enrollments e WHERE e.id = NEW.enrollment_id);
END;--> statement-breakpoint
CREATE TRIGGER `people_balance` AFTER UPDATE OF `name_key`, `consented_at`, `corrected_at` ON `people`
BEGIN
  UPDATE balances SET is_stale = 1 WHERE owner_id = NEW.owner_id AND person_id = NEW.id;
END;--> statement-breakpoint
CREATE TRIGGER `enrollments_count_status_on_insert` AFTER INSERT ON `enrollments`
BEGIN
  INSERT INTO run_statuses (cohort_id, status, owner_id, people)
    SELECT c.id, NEW.status, c.owner_id, 1 FROM cohorts c WHERE c.id = NEW.cohort_id AND c.kind = 'open'
    ON CONFLICT (cohort_id, status) DO UPDATE SET people = people + 1;
END;--> statement-breakpoint
CREATE TRIGGER `enrollments_count_status_on_update` AFTER UPDATE OF `status`, `cohort_id` ON `enrollments`
WHEN OLD.status <> NEW.status OR OLD.cohort_id <> NEW.cohort_id
BEGIN
  UPDATE run_statuses SET people = people - 1 WHERE cohort_id = OLD.cohort_id AND status = OLD.status;
  INSERT INTO run_statuses (cohort_id, status, owner_id, people)
    SELECT c.id, NEW.status, c.owner_id, 1 FROM cohorts c WHERE c.id = NEW.cohort_id AND c.kind = 'open'
    ON CONFLICT (cohort_id, status) DO UPDATE SET people = people + 1;
END;--> statement-breakpoint
CREATE TRIGGER `enrollments_count_status_on_delete` AFTER DELETE ON `enrollments`
BEGIN
  UPDATE run_statuses SET people = people - 1 WHERE cohort_id = OLD.cohort_id AND status = OLD.status;
END;--> statement-breakpoint
-- Everything that was written before.
INSERT INTO run_statuses (cohort_id, status, owner_id, people)
  SELECT e.cohort_id, e.status, e.owner_id, count(*) FROM cohorts c JOIN enrollments e ON e.cohort_id = c.id
    WHERE c.kind = 'open' GROUP BY e.cohort_id, e.status;--> statement-breakpoint
INSERT INTO balances (enrollment_id, cohort_id, owner_id, person_id)
  SELECT enrollment_id, cohort_id, owner_id, person_id FROM ledger_entries GROUP BY enrollment_id, cohort_id;--> statement-breakpoint
UPDATE balances SET is_stale = 1;
