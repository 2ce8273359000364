CREATE TABLE `ledger_entries` (
	`id` text PRIMARY KEY NOT NULL,
	`owner_id` text NOT NULL,
	`course_id` text NOT NULL,
	`course_name` text NOT NULL,
	`cohort_id` text NOT NULL,
	`cohort_name` text NOT NULL,
	`person_id` text NOT NULL,
	`enrollment_id` text NOT NULL,
	`kind` text NOT NULL,
	`amount_minor` integer NOT NULL,
	`currency` text NOT NULL,
	`method` text,
	`received_on` text,
	`reverses_id` text,
	`source` text NOT NULL,
	`outside_id` text,
	`created_by` text NOT NULL,
	`created_at` integer NOT NULL,
	`idempotency_key` text,
	FOREIGN KEY (`owner_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "ledger_entries_amount_check" CHECK("ledger_entries"."amount_minor" <> 0 AND ("ledger_entries"."amount_minor" > 0) =
        (("ledger_entries"."kind" IN ('charge', 'refund')) = ("ledger_entries"."reverses_id" IS NULL))),
	CONSTRAINT "ledger_entries_method_check" CHECK(("ledger_entries"."kind" IN ('payment', 'refund')) = ("ledger_entries"."method" IS NOT NULL)
        AND ("ledger_entries"."method" IS NULL) = ("ledger_entries"."received_on" IS NULL)),
	CONSTRAINT "ledger_entries_currency_check" CHECK("ledger_entries"."currency" GLOB '[A-Z][A-Z][A-Z]')
);
--> statement-breakpoint
CREATE UNIQUE INDEX `ledger_entries_reverses_id_unique` ON `ledger_entries` (`reverses_id`) WHERE "ledger_entries"."reverses_id" IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `ledger_entries_source_outside_id_unique` ON `ledger_entries` (`source`,`outside_id`) WHERE "ledger_entries"."outside_id" IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `ledger_entries_idempotency_key_unique` ON `ledger_entries` (`owner_id`,`idempotency_key`,`enrollment_id`,`kind`) WHERE "ledger_entries"."idempotency_key" IS NOT NULL;--> statement-breakpoint
CREATE INDEX `ledger_entries_sums_index` ON `ledger_entries` (`owner_id`,`course_id`,`cohort_id`,`enrollment_id`,`kind`,`amount_minor`,`currency`,`person_id`);--> statement-breakpoint
CREATE INDEX `ledger_entries_cohort_index` ON `ledger_entries` (`owner_id`,`cohort_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `ledger_entries_account_index` ON `ledger_entries` (`enrollment_id`,`cohort_id`);--> statement-breakpoint
CREATE INDEX `ledger_entries_person_index` ON `ledger_entries` (`owner_id`,`person_id`);--> statement-breakpoint
CREATE TABLE `ledger_notes` (
	`entry_id` text PRIMARY KEY NOT NULL,
	`owner_id` text NOT NULL,
	`text` text NOT NULL,
	FOREIGN KEY (`entry_id`) REFERENCES `ledger_entries`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`owner_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `ledger_notes_owner_id_index` ON `ledger_notes` (`owner_id`);--> statement-breakpoint
ALTER TABLE `cohorts` ADD `payment_note` text;--> statement-breakpoint
ALTER TABLE `cohorts` ADD `payment_url` text;--> statement-breakpoint
ALTER TABLE `people` ADD `erased_at` integer;--> statement-breakpoint
ALTER TABLE `people` ADD `erased_no` integer;--> statement-breakpoint
CREATE UNIQUE INDEX `people_erased_no_unique` ON `people` (`owner_id`,`erased_no`) WHERE "people"."erased_no" IS NOT NULL;--> statement-breakpoint
-- By hand from here: no tool writes triggers.
CREATE TRIGGER `ledger_entries_never_change` BEFORE UPDATE ON `ledger_entries`
BEGIN
  SELECT RAISE(ABORT, 'ledger_append_only');
END;--> statement-breakpoint
CREATE TRIGGER `ledger_entries_stay` BEFORE DELETE ON `ledger_entries`
WHEN EXISTS (SELECT 1 FROM users WHERE id = OLD.owner_id)
BEGIN
  SELECT RAISE(ABORT, 'ledger_append_only');
END;--> statement-breakpoint
CREATE TRIGGER `ledger_notes_never_change` BEFORE UPDATE ON `ledger_notes`
BEGIN
  SELECT RAISE(ABORT, 'ledger_append_only');
END;--> statement-breakpoint
CREATE TRIGGER `ledger_notes_stay` BEFORE DELETE ON `ledger_notes`
WHEN EXISTS (SELECT 1 FROM ledger_entries x JOIN users u ON u.id = x.owner_id JOIN people p ON p.id = x.person_id
   WHERE x.id = OLD.entry_id AND p.erased_at IS NULL)
BEGIN
  SELECT RAISE(ABORT, 'ledger_append_only');
END;--> statement-breakpoint
CREATE TRIGGER `ledger_entries_charge_once` BEFORE INSERT ON `ledger_entries`
WHEN NEW.kind = 'charge' AND NEW.reverses_id IS NULL
 AND EXISTS (SELECT 1 FROM ledger_entries x WHERE x.enrollment_id = NEW.enrollment_id AND x.kind = 'charge'
   AND x.reverses_id IS NULL AND NOT EXISTS (SELECT 1 FROM ledger_entries r WHERE r.reverses_id = x.id))
BEGIN
  SELECT RAISE(ABORT, 'charged_already');
END;--> statement-breakpoint
CREATE TRIGGER `ledger_entries_reverse_another` BEFORE INSERT ON `ledger_entries`
WHEN NEW.reverses_id IS NOT NULL
 AND NOT EXISTS (SELECT 1 FROM ledger_entries x WHERE x.id = NEW.reverses_id AND x.reverses_id IS NULL
   AND x.owner_id = NEW.owner_id AND x.cohort_id = NEW.cohort_id AND x.enrollment_id = NEW.enrollment_id
   AND x.kind = NEW.kind AND x.currency = NEW.currency AND x.amount_minor = -NEW.amount_minor)
BEGIN
  SELECT RAISE(ABORT, 'reverses_nothing');
END;--> statement-breakpoint
CREATE TRIGGER `ledger_entries_one_currency` BEFORE INSERT ON `ledger_entries`
WHEN (SELECT x.currency FROM ledger_entries x WHERE x.owner_id = NEW.owner_id AND x.cohort_id = NEW.cohort_id ORDER BY x.created_at LIMIT 1) <> NEW.currency
BEGIN
  SELECT RAISE(ABORT, 'currency_in_use');
END;--> statement-breakpoint
CREATE TRIGGER `cohorts_keep_currency` BEFORE UPDATE OF `currency` ON `cohorts`
WHEN NEW.currency IS NOT NULL
 AND (SELECT x.currency FROM ledger_entries x WHERE x.owner_id = NEW.owner_id AND x.cohort_id = NEW.id ORDER BY x.created_at LIMIT 1) <> NEW.currency
BEGIN
  SELECT RAISE(ABORT, 'currency_in_use');
END;--> statement-breakpoint
CREATE TRIGGER `people_stay_by_money` BEFORE DELETE ON `people`
WHEN EXISTS (SELECT 1 FROM ledger_entries x WHERE x.owner_id = OLD.owner_id AND x.person_id = OLD.id)
 AND EXISTS (SELECT 1 FROM users WHERE id = OLD.owner_id)
BEGIN
  SELECT RAISE(ABORT, 'person_has_entries');
END;--> statement-breakpoint
CREATE TRIGGER `enrollments_charge_on_insert` AFTER INSERT ON `enrollments`
WHEN NEW.status = 'enrolled' AND (SELECT price_minor FROM cohorts WHERE id = NEW.cohort_id) > 0
BEGIN
  INSERT INTO ledger_entries (id, owner_id, course_id, course_name, cohort_id, cohort_name, person_id, enrollment_id,
      kind, amount_minor, currency, source, created_by, created_at)
    SELECT lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2) || '-8'
        || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6))), c.owner_id, c.course_id, k.name, c.id, c.name, NEW.person_id, NEW.id,
      'charge', c.price_minor, c.currency, 'enrollment', NEW.changed_by, NEW.status_changed_at
    FROM cohorts c JOIN courses k ON k.id = c.course_id WHERE c.id = NEW.cohort_id;
END;--> statement-breakpoint
CREATE TRIGGER `enrollments_charge_on_update` AFTER UPDATE OF `status` ON `enrollments`
WHEN NEW.status = 'enrolled' AND OLD.status <> 'enrolled'
 AND (SELECT price_minor FROM cohorts WHERE id = NEW.cohort_id) > 0
 AND NOT EXISTS (SELECT 1 FROM ledger_entries x WHERE x.enrollment_id = NEW.id AND x.kind = 'charge'
   AND x.reverses_id IS NULL AND NOT EXISTS (SELECT 1 FROM ledger_entries r WHERE r.reverses_id = x.id))
BEGIN
  INSERT INTO ledger_entries (id, owner_id, course_id, course_name, cohort_id, cohort_name, person_id, enrollment_id,
      kind, amount_minor, currency, source, created_by, created_at)
    SELECT lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2) || '-8'
        || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6))), c.owner_id, c.course_id, k.name, c.id, c.name, NEW.person_id, NEW.id,
      'charge', c.price_minor, c.currency, 'enrollment', NEW.changed_by, NEW.status_changed_at
    FROM cohorts c JOIN courses k ON k.id = c.course_id WHERE c.id = NEW.cohort_id;
END;--> statement-breakpoint
-- Who is moved to another cohort owes its price. What they have paid goes with them, unless it is another currency.
CREATE TRIGGER `enrollments_move_account` AFTER UPDATE OF `cohort_id` ON `enrollments`
WHEN OLD.cohort_id <> NEW.cohort_id
BEGIN
  INSERT INTO ledger_entries (id, owner_id, course_id, course_name, cohort_id, cohort_name, person_id, enrollment_id,
      kind, amount_minor, currency, method, received_on, source, created_by, created_at)
    SELECT lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2) || '-8'
        || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6))), c.owner_id, c.course_id, k.name, c.id, c.name, NEW.person_id, NEW.id,
      x.kind, x.amount_minor, x.currency, x.method, x.received_on, 'move', NEW.changed_by, NEW.status_changed_at
    FROM ledger_entries x JOIN cohorts c ON c.id = NEW.cohort_id AND c.currency = x.currency
      JOIN courses k ON k.id = c.course_id
    WHERE x.enrollment_id = NEW.id AND x.cohort_id = OLD.cohort_id AND x.kind <> 'charge' AND x.reverses_id IS NULL
      AND NOT EXISTS (SELECT 1 FROM ledger_entries r WHERE r.reverses_id = x.id);
  INSERT INTO ledger_entries (id, owner_id, course_id, course_name, cohort_id, cohort_name, person_id, enrollment_id,
      kind, amount_minor, currency, method, received_on, reverses_id, source, created_by, created_at)
    SELECT lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2) || '-8'
        || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6))), x.owner_id, x.course_id, x.course_name, x.cohort_id, x.cohort_name, x.person_id, x.enrollment_id,
      x.kind, -x.amount_minor, x.currency, x.method, x.received_on, x.id, 'move', NEW.changed_by, NEW.status_changed_at
    FROM ledger_entries x JOIN cohorts c ON c.id = NEW.cohort_id
    WHERE x.enrollment_id = NEW.id AND x.cohort_id = OLD.cohort_id AND x.reverses_id IS NULL
      AND (x.kind = 'charge' OR c.currency = x.currency)
      AND NOT EXISTS (SELECT 1 FROM ledger_entries r WHERE r.reverses_id = x.id);
  INSERT INTO ledger_entries (id, owner_id, course_id, course_name, cohort_id, cohort_name, person_id, enrollment_id,
      kind, amount_minor, currency, source, created_by, created_at)
    SELECT lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2) || '-8'
        || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6))), c.owner_id, c.course_id, k.name, c.id, c.name, NEW.person_id, NEW.id,
      'charge', c.price_minor, c.currency, 'enrollment', NEW.changed_by, NEW.status_changed_at
    FROM cohorts c JOIN courses k ON k.id = c.course_id
    WHERE c.id = NEW.cohort_id AND c.price_minor > 0 AND NEW.status = 'enrolled';
END;
