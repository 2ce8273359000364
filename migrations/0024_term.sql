-- The triggers are by hand, because D1 cannot alter one. They charge the price of the moment of enrolling.
CREATE TABLE `attendance` (
	`owner_id` text NOT NULL,
	`meeting_id` text NOT NULL,
	`enrollment_id` text NOT NULL,
	`is_present` integer NOT NULL,
	`marked_at` integer NOT NULL,
	`marked_by_user_id` text NOT NULL,
	PRIMARY KEY(`meeting_id`, `enrollment_id`),
	FOREIGN KEY (`owner_id`,`meeting_id`) REFERENCES `meetings`(`owner_id`,`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`owner_id`,`enrollment_id`) REFERENCES `enrollments`(`owner_id`,`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `attendance_enrollment_index` ON `attendance` (`owner_id`,`enrollment_id`);--> statement-breakpoint
CREATE INDEX `attendance_meeting_index` ON `attendance` (`owner_id`,`meeting_id`);--> statement-breakpoint
CREATE TABLE `days_off` (
	`id` text PRIMARY KEY NOT NULL,
	`owner_id` text NOT NULL,
	`cohort_id` text NOT NULL,
	`on_date` text NOT NULL,
	`reason` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`owner_id`,`cohort_id`) REFERENCES `cohorts`(`owner_id`,`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `days_off_owner_id_cohort_id_index` ON `days_off` (`owner_id`,`cohort_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `days_off_cohort_id_on_date_unique` ON `days_off` (`cohort_id`,`on_date`);--> statement-breakpoint
ALTER TABLE `cohorts` ADD `join_passcode` text;--> statement-breakpoint
ALTER TABLE `cohorts` ADD `second_teacher` text;--> statement-breakpoint
ALTER TABLE `cohorts` ADD `second_teacher_line` text;--> statement-breakpoint
ALTER TABLE `cohorts` ADD `early_price_minor` integer;--> statement-breakpoint
ALTER TABLE `cohorts` ADD `early_until_local` text;--> statement-breakpoint
ALTER TABLE `cohorts` ADD `early_until_at` integer;--> statement-breakpoint
ALTER TABLE `cohorts` ADD `sends_receipts` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `cohorts` ADD `refund_note` text;--> statement-breakpoint
ALTER TABLE `cohorts` ADD `sends_certificates` integer DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE `courses` ADD `about` text;--> statement-breakpoint
ALTER TABLE `courses` ADD `hue` text;--> statement-breakpoint
ALTER TABLE `ledger_entries` ADD `method_word` text;--> statement-breakpoint
ALTER TABLE `meetings` ADD `public_line` text;--> statement-breakpoint
CREATE UNIQUE INDEX `meetings_owner_id_id_unique` ON `meetings` (`owner_id`,`id`);--> statement-breakpoint
ALTER TABLE `group_messages` ADD `audience` text DEFAULT 'enrolled' NOT NULL;--> statement-breakpoint
ALTER TABLE `enrollments` ADD `left_note` text;--> statement-breakpoint
ALTER TABLE `enrollments` ADD `owes_after_leaving` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `users` ADD `bio` text;--> statement-breakpoint
DROP TRIGGER `enrollments_charge_on_insert`;--> statement-breakpoint
CREATE TRIGGER `enrollments_charge_on_insert` AFTER INSERT ON `enrollments`
WHEN NEW.status = 'enrolled' AND (SELECT CASE WHEN NEW.status_changed_at < c.early_until_at THEN c.early_price_minor ELSE c.price_minor END FROM cohorts c WHERE c.id = NEW.cohort_id) > 0
BEGIN
  INSERT INTO ledger_entries (id, owner_id, course_id, course_name, cohort_id, cohort_name, person_id, enrollment_id,
      kind, amount_minor, currency, source, created_by, created_at, created_by_user_id)
    SELECT lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2) || '-8'
        || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6))), c.owner_id, c.course_id, k.name, c.id, c.name, NEW.person_id, NEW.id,
      'charge', CASE WHEN NEW.status_changed_at < c.early_until_at THEN c.early_price_minor ELSE c.price_minor END, c.currency, 'enrollment', NEW.changed_by, NEW.status_changed_at,
      CASE NEW.changed_by WHEN 'owner' THEN NEW.changed_by_user_id END
    FROM cohorts c JOIN courses k ON k.id = c.course_id WHERE c.id = NEW.cohort_id;
END;--> statement-breakpoint
DROP TRIGGER `enrollments_charge_on_update`;--> statement-breakpoint
CREATE TRIGGER `enrollments_charge_on_update` AFTER UPDATE OF `status` ON `enrollments`
WHEN NEW.status = 'enrolled' AND OLD.status <> 'enrolled'
 AND (SELECT CASE WHEN NEW.status_changed_at < c.early_until_at THEN c.early_price_minor ELSE c.price_minor END FROM cohorts c WHERE c.id = NEW.cohort_id) > 0
 AND NOT EXISTS (SELECT 1 FROM ledger_entries x WHERE x.enrollment_id = NEW.id AND x.kind = 'charge'
   AND x.reverses_id IS NULL AND NOT EXISTS (SELECT 1 FROM ledger_entries r WHERE r.reverses_id = x.id))
BEGIN
  INSERT INTO ledger_entries (id, owner_id, course_id, course_name, cohort_id, cohort_name, person_id, enrollment_id,
      kind, amount_minor, currency, source, created_by, created_at, created_by_user_id)
    SELECT lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2) || '-8'
        || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6))), c.owner_id, c.course_id, k.name, c.id, c.name, NEW.person_id, NEW.id,
      'charge', CASE WHEN NEW.status_changed_at < c.early_until_at THEN c.early_price_minor ELSE c.price_minor END, c.currency, 'enrollment', NEW.changed_by, NEW.status_changed_at,
      CASE NEW.changed_by WHEN 'owner' THEN NEW.changed_by_user_id END
    FROM cohorts c JOIN courses k ON k.id = c.course_id WHERE c.id = NEW.cohort_id;
END;--> statement-breakpoint
DROP TRIGGER `enrollments_move_account`;--> statement-breakpoint
-- Who is moved to another cohort owes its price. What they have paid goes with them, unless it is another currency.
CREATE TRIGGER `enrollments_move_account` AFTER UPDATE OF `cohort_id` ON `enrollments`
WHEN OLD.cohort_id <> NEW.cohort_id
BEGIN
  INSERT INTO ledger_entries (id, owner_id, course_id, course_name, cohort_id, cohort_name, person_id, enrollment_id,
      kind, amount_minor, currency, method, method_word, received_on, source, created_by, created_at, created_by_user_id)
    SELECT lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2) || '-8'
        || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6))), c.owner_id, c.course_id, k.name, c.id, c.name, NEW.person_id, NEW.id,
      x.kind, x.amount_minor, x.currency, x.method, x.method_word, x.received_on, 'move', NEW.changed_by, NEW.status_changed_at,
      CASE NEW.changed_by WHEN 'owner' THEN NEW.changed_by_user_id END
    FROM ledger_entries x JOIN cohorts c ON c.id = NEW.cohort_id AND c.currency = x.currency
      JOIN courses k ON k.id = c.course_id
    WHERE x.enrollment_id = NEW.id AND x.cohort_id = OLD.cohort_id AND x.kind IN ('payment', 'refund')
      AND x.reverses_id IS NULL AND NOT EXISTS (SELECT 1 FROM ledger_entries r WHERE r.reverses_id = x.id);
  -- All that was waived becomes one entry, for as much of the price as that money leaves.
  INSERT INTO ledger_entries (id, owner_id, course_id, course_name, cohort_id, cohort_name, person_id, enrollment_id,
      kind, amount_minor, currency, source, created_by, created_at, created_by_user_id)
    SELECT lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2) || '-8'
        || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6))), c.owner_id, c.course_id, k.name, c.id, c.name, NEW.person_id, NEW.id,
      'waiver', -min(w.waived, w.owed), c.currency, 'move', NEW.changed_by, NEW.status_changed_at,
      CASE NEW.changed_by WHEN 'owner' THEN NEW.changed_by_user_id END
    FROM cohorts c JOIN courses k ON k.id = c.course_id JOIN (SELECT
        (SELECT coalesce(-sum(x.amount_minor), 0) FROM ledger_entries x JOIN cohorts n ON n.id = NEW.cohort_id AND n.currency = x.currency
          WHERE x.enrollment_id = NEW.id AND x.cohort_id = OLD.cohort_id AND x.kind = 'waiver'
            AND x.reverses_id IS NULL AND NOT EXISTS (SELECT 1 FROM ledger_entries r WHERE r.reverses_id = x.id)) AS waived,
        (SELECT coalesce(sum(x.amount_minor), 0) FROM ledger_entries x
          WHERE x.enrollment_id = NEW.id AND x.cohort_id = NEW.cohort_id)
        + coalesce((SELECT CASE WHEN NEW.status_changed_at < n.early_until_at THEN n.early_price_minor ELSE n.price_minor END
          FROM cohorts n WHERE n.id = NEW.cohort_id AND NEW.status = 'enrolled'), 0) AS owed) w
    WHERE c.id = NEW.cohort_id AND w.waived > 0 AND w.owed > 0;
  INSERT INTO ledger_entries (id, owner_id, course_id, course_name, cohort_id, cohort_name, person_id, enrollment_id,
      kind, amount_minor, currency, method, method_word, received_on, reverses_id, source, created_by, created_at, created_by_user_id)
    SELECT lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2) || '-8'
        || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6))), x.owner_id, x.course_id, x.course_name, x.cohort_id, x.cohort_name, x.person_id, x.enrollment_id,
      x.kind, -x.amount_minor, x.currency, x.method, x.method_word, x.received_on, x.id, 'move', NEW.changed_by, NEW.status_changed_at,
      CASE NEW.changed_by WHEN 'owner' THEN NEW.changed_by_user_id END
    FROM ledger_entries x JOIN cohorts c ON c.id = NEW.cohort_id
    WHERE x.enrollment_id = NEW.id AND x.cohort_id = OLD.cohort_id AND x.reverses_id IS NULL
      AND (x.kind = 'charge' OR c.currency = x.currency)
      AND NOT EXISTS (SELECT 1 FROM ledger_entries r WHERE r.reverses_id = x.id);
  INSERT INTO ledger_entries (id, owner_id, course_id, course_name, cohort_id, cohort_name, person_id, enrollment_id,
      kind, amount_minor, currency, source, created_by, created_at, created_by_user_id)
    SELECT lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2) || '-8'
        || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6))), c.owner_id, c.course_id, k.name, c.id, c.name, NEW.person_id, NEW.id,
      'charge', CASE WHEN NEW.status_changed_at < c.early_until_at THEN c.early_price_minor ELSE c.price_minor END, c.currency, 'enrollment', NEW.changed_by, NEW.status_changed_at,
      CASE NEW.changed_by WHEN 'owner' THEN NEW.changed_by_user_id END
    FROM cohorts c JOIN courses k ON k.id = c.course_id
    WHERE c.id = NEW.cohort_id AND NEW.status = 'enrolled'
      AND CASE WHEN NEW.status_changed_at < c.early_until_at THEN c.early_price_minor ELSE c.price_minor END > 0;
END;
