CREATE TABLE `checkouts` (
	`id` text PRIMARY KEY NOT NULL,
	`owner_id` text NOT NULL,
	`course_id` text NOT NULL,
	`course_name` text NOT NULL,
	`cohort_id` text NOT NULL,
	`cohort_name` text NOT NULL,
	`enrollment_id` text NOT NULL,
	`person_id` text NOT NULL,
	`stripe_account` text,
	`session_id` text,
	`payment_intent` text,
	`price_minor` integer,
	`amount_minor` integer NOT NULL,
	`currency` text NOT NULL,
	`status` text NOT NULL,
	`problem` text,
	`paid_minor` integer,
	`paid_currency` text,
	`paid_at` integer,
	`refunded_minor` integer DEFAULT 0 NOT NULL,
	`decide_by` integer,
	`check_at` integer,
	`attempts` integer DEFAULT 0 NOT NULL,
	`expires_at` integer NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`owner_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "checkouts_amount_check" CHECK("checkouts"."amount_minor" > 0)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `checkouts_open_unique` ON `checkouts` (`enrollment_id`) WHERE "checkouts"."status" IN ('open', 'confirming');--> statement-breakpoint
CREATE UNIQUE INDEX `checkouts_session_id_unique` ON `checkouts` (`session_id`) WHERE "checkouts"."session_id" IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `checkouts_payment_intent_unique` ON `checkouts` (`payment_intent`) WHERE "checkouts"."payment_intent" IS NOT NULL;--> statement-breakpoint
CREATE INDEX `checkouts_check_at_index` ON `checkouts` (`check_at`) WHERE "checkouts"."check_at" IS NOT NULL;--> statement-breakpoint
CREATE INDEX `checkouts_decide_by_index` ON `checkouts` (`decide_by`) WHERE "checkouts"."decide_by" IS NOT NULL;--> statement-breakpoint
CREATE INDEX `checkouts_problem_index` ON `checkouts` (`owner_id`,`problem`) WHERE "checkouts"."problem" IS NOT NULL;--> statement-breakpoint
CREATE INDEX `checkouts_cohort_index` ON `checkouts` (`owner_id`,`cohort_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `checkouts_enrollment_index` ON `checkouts` (`enrollment_id`,`paid_at`);--> statement-breakpoint
CREATE INDEX `checkouts_person_index` ON `checkouts` (`owner_id`,`person_id`);--> statement-breakpoint
CREATE TABLE `payment_accounts` (
	`owner_id` text PRIMARY KEY NOT NULL,
	`stripe_account` text,
	`country` text,
	`charges_enabled` integer DEFAULT false NOT NULL,
	`due_json` text DEFAULT '[]' NOT NULL,
	`ready_at` integer,
	`connected_at` integer NOT NULL,
	`checked_at` integer NOT NULL,
	`disconnected_at` integer,
	`listed_at` integer DEFAULT 0 NOT NULL,
	FOREIGN KEY (`owner_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `payment_accounts_stripe_account_unique` ON `payment_accounts` (`stripe_account`);--> statement-breakpoint
CREATE INDEX `payment_accounts_listed_at_index` ON `payment_accounts` (`listed_at`);--> statement-breakpoint
CREATE TABLE `refunds_wanted` (
	`id` text PRIMARY KEY NOT NULL,
	`checkout_id` text NOT NULL,
	`owner_id` text NOT NULL,
	`amount_minor` integer NOT NULL,
	`waive_rest` integer DEFAULT false NOT NULL,
	`reason` text NOT NULL,
	`due_at` integer NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`done_at` integer,
	`failed_at` integer,
	`failure` text,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`checkout_id`) REFERENCES `checkouts`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`owner_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "refunds_wanted_amount_check" CHECK("refunds_wanted"."amount_minor" > 0)
);
--> statement-breakpoint
CREATE INDEX `refunds_wanted_due_at_index` ON `refunds_wanted` (`due_at`) WHERE "refunds_wanted"."done_at" IS NULL AND "refunds_wanted"."failed_at" IS NULL;--> statement-breakpoint
CREATE INDEX `refunds_wanted_checkout_id_index` ON `refunds_wanted` (`checkout_id`);--> statement-breakpoint
CREATE INDEX `refunds_wanted_owner_id_index` ON `refunds_wanted` (`owner_id`);--> statement-breakpoint
ALTER TABLE `cohorts` ADD `payment_mode` text DEFAULT 'own' NOT NULL;--> statement-breakpoint
-- What someone has paid for is charged at the price that was agreed when they went to pay: the one of
-- the last payment that no charge has followed.
DROP TRIGGER `enrollments_charge_on_update`;--> statement-breakpoint
CREATE TRIGGER `enrollments_charge_on_update` AFTER UPDATE OF `status` ON `enrollments`
WHEN NEW.status = 'enrolled' AND OLD.status <> 'enrolled'
 AND NOT EXISTS (SELECT 1 FROM ledger_entries x WHERE x.enrollment_id = NEW.id AND x.kind = 'charge'
   AND x.reverses_id IS NULL AND NOT EXISTS (SELECT 1 FROM ledger_entries r WHERE r.reverses_id = x.id))
BEGIN
  INSERT INTO ledger_entries (id, owner_id, course_id, course_name, cohort_id, cohort_name, person_id, enrollment_id,
      kind, amount_minor, currency, source, created_by, created_at, created_by_user_id)
    SELECT lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2) || '-8'
        || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6))), c.owner_id, c.course_id, k.name, c.id, c.name, NEW.person_id, NEW.id,
      'charge', coalesce(o.price_minor, CASE WHEN NEW.status_changed_at < c.early_until_at THEN c.early_price_minor ELSE c.price_minor END),
      coalesce(c.currency, o.currency), 'enrollment', NEW.changed_by, NEW.status_changed_at,
      CASE NEW.changed_by WHEN 'owner' THEN NEW.changed_by_user_id END
    FROM cohorts c JOIN courses k ON k.id = c.course_id LEFT JOIN checkouts o ON o.id = (SELECT p.id FROM checkouts p
      WHERE p.enrollment_id = NEW.id AND p.cohort_id = NEW.cohort_id AND p.status = 'paid' AND p.price_minor IS NOT NULL
        AND p.paid_currency = coalesce(c.currency, p.paid_currency) AND p.refunded_minor < p.paid_minor
        AND NOT EXISTS (SELECT 1 FROM ledger_entries x WHERE x.enrollment_id = NEW.id AND x.kind = 'charge'
          AND x.reverses_id IS NULL AND x.created_at >= p.paid_at)
      ORDER BY p.paid_at DESC LIMIT 1)
    WHERE c.id = NEW.cohort_id AND coalesce(o.price_minor,
      CASE WHEN NEW.status_changed_at < c.early_until_at THEN c.early_price_minor ELSE c.price_minor END, 0) > 0;
END;--> statement-breakpoint
DROP TRIGGER `enrollments_return`;--> statement-breakpoint
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
        coalesce((SELECT p.price_minor FROM checkouts p JOIN cohorts c ON c.id = p.cohort_id
          WHERE p.enrollment_id = NEW.id AND p.cohort_id = NEW.cohort_id AND p.status = 'paid' AND p.price_minor IS NOT NULL
            AND p.paid_currency = coalesce(c.currency, p.paid_currency) AND p.refunded_minor < p.paid_minor
            AND NOT EXISTS (SELECT 1 FROM ledger_entries y WHERE y.enrollment_id = NEW.id AND y.kind = 'charge'
              AND y.reverses_id IS NULL AND y.created_at >= p.paid_at)
          ORDER BY p.paid_at DESC LIMIT 1), (SELECT CASE WHEN NEW.status_changed_at < c.early_until_at
            THEN c.early_price_minor ELSE c.price_minor END FROM cohorts c WHERE c.id = NEW.cohort_id)))
      AND x.reverses_id IS NULL AND NOT EXISTS (SELECT 1 FROM ledger_entries r WHERE r.reverses_id = x.id);
END;--> statement-breakpoint
-- Someone who pays later is news, too.
CREATE TRIGGER `ledger_entries_news` AFTER INSERT ON `ledger_entries`
WHEN NEW.source = 'stripe' AND NEW.kind = 'payment' AND NEW.reverses_id IS NULL
BEGIN
  INSERT INTO news_due (owner_id, since, due_at) VALUES (NEW.owner_id, NEW.created_at, 0) ON CONFLICT DO NOTHING;
END;
