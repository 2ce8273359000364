CREATE VIEW `access_ends` AS SELECT g.enrollment_id, c.kind,
    CASE c.kind WHEN 'open' THEN g.access_from ELSE c.ends_at END + c.access_days * 86400000 AS ends_at
  FROM learning g JOIN cohorts c ON c.id = g.cohort_id WHERE c.access_days IS NOT NULL;

CREATE TABLE "address_restores" (
	`id` text PRIMARY KEY NOT NULL,
	`token_hash` text NOT NULL,
	`user_id` text NOT NULL,
	`email` text NOT NULL,
	`email_canonical` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES "users"(`id`) ON UPDATE no action ON DELETE cascade
);

CREATE INDEX `address_restores_expires_at_index` ON `address_restores` (`expires_at`);

CREATE UNIQUE INDEX `address_restores_token_hash_unique` ON `address_restores` (`token_hash`);

CREATE INDEX `address_restores_user_id_created_at_index` ON `address_restores` (`user_id`,`created_at`);

CREATE VIEW `agreed_prices` AS SELECT e.id AS enrollment_id, e.cohort_id, coalesce(e.currency, o.currency) AS currency,
    CASE WHEN o.status = 'paid' AND o.refunded_minor = 0 OR o.price_minor < e.price THEN o.price_minor ELSE e.price END AS amount_minor
  FROM (SELECT x.*, c.currency, CASE WHEN x.status_changed_at < c.early_until_at THEN c.early_price_minor
      ELSE c.price_minor END AS price FROM enrollments x JOIN cohorts c ON c.id = x.cohort_id) e
    LEFT JOIN checkouts o ON o.id = (SELECT p.id FROM checkouts p
      WHERE p.enrollment_id = e.id AND p.cohort_id = e.cohort_id AND p.price_minor IS NOT NULL
        AND p.currency = coalesce(e.currency, p.currency) AND (p.status IN ('open', 'confirming')
          OR p.status = 'paid' AND p.refunded_minor < p.paid_minor AND NOT EXISTS (SELECT 1 FROM ledger_entries x
            WHERE x.enrollment_id = e.id AND x.kind = 'charge' AND x.reverses_id IS NULL AND x.created_at >= p.created_at)
          AND (p.paid_at = e.status_changed_at OR (SELECT coalesce(sum(w.amount_minor), 0) FROM refunds_wanted w
              WHERE w.checkout_id = p.id AND w.done_at IS NULL AND w.failed_at IS NULL)
            < (SELECT b.paid - b.refunded FROM balances b WHERE b.enrollment_id = e.id AND b.cohort_id = e.cohort_id)))
      ORDER BY p.status = 'paid' DESC, p.paid_at DESC LIMIT 1);

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

CREATE INDEX `attendance_enrollment_index` ON `attendance` (`owner_id`,`enrollment_id`);

CREATE INDEX `attendance_meeting_index` ON `attendance` (`owner_id`,`meeting_id`);

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

CREATE INDEX `balance_totals_course_index` ON `balance_totals` (`owner_id`,`course_id`);

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

CREATE INDEX `balances_ended_index` ON `balances` (`cohort_id`,`name_key`,`enrollment_id`) WHERE "balances"."status" <> 'enrolled';

CREATE INDEX `balances_list_index` ON `balances` (`cohort_id`,`list`,`name_key`,`enrollment_id`);

CREATE INDEX `balances_person_index` ON `balances` (`owner_id`,`person_id`);

CREATE INDEX `balances_strangers_index` ON `balances` (`cohort_id`,`name_key`,`enrollment_id`) WHERE "balances"."list" = 'owing' AND "balances"."has_agreed" = 0;

CREATE TRIGGER `balances_add_up` AFTER UPDATE OF `is_stale` ON `balances`
WHEN NEW.is_stale = 1
BEGIN
  UPDATE balances SET is_stale = 0, name_key = n.name_key, status = n.status, has_agreed = n.has_agreed,
      charged = n.charged, waived = n.waived, paid = n.paid, refunded = n.refunded, balance = n.balance,
      is_owed = n.status IS NOT NULL AND (NOT n.has_ended OR n.owes_after_leaving),
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
          coalesce(p.agreed_at >= coalesce(p.corrected_at, 0), 0) AS has_agreed,
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
END;

CREATE TRIGGER `balances_count_account` AFTER INSERT ON `balances`
BEGIN
  INSERT INTO balance_totals (cohort_id, owner_id, course_id, currency, accounts)
    SELECT x.cohort_id, x.owner_id, x.course_id, x.currency, 1 FROM ledger_entries x
      WHERE x.enrollment_id = NEW.enrollment_id AND x.cohort_id = NEW.cohort_id LIMIT 1
    ON CONFLICT (cohort_id) DO UPDATE SET accounts = accounts + 1;
END;

CREATE TABLE `blocked_addresses` (
	`owner_id` text NOT NULL,
	`hash` text NOT NULL,
	`reason` text NOT NULL,
	`cohort_id` text,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`owner_id`, `hash`),
	FOREIGN KEY (`owner_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`owner_id`,`cohort_id`) REFERENCES `cohorts`(`owner_id`,`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "blocked_addresses_cohort_id_check" CHECK(("blocked_addresses"."reason" = 'removed') = ("blocked_addresses"."cohort_id" IS NOT NULL))
);

CREATE INDEX `blocked_addresses_owner_id_cohort_id_index` ON `blocked_addresses` (`owner_id`,`cohort_id`);

CREATE TABLE `calendar_feeds` (
	`owner_id` text PRIMARY KEY NOT NULL,
	`version` integer NOT NULL,
	`enabled_at` integer,
	FOREIGN KEY (`owner_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);

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

CREATE INDEX `checkouts_check_at_index` ON `checkouts` (`check_at`) WHERE "checkouts"."check_at" IS NOT NULL;

CREATE INDEX `checkouts_cohort_index` ON `checkouts` (`owner_id`,`cohort_id`,`created_at`,`id`);

CREATE INDEX `checkouts_decide_by_index` ON `checkouts` (`decide_by`) WHERE "checkouts"."decide_by" IS NOT NULL;

CREATE INDEX `checkouts_enrollment_index` ON `checkouts` (`enrollment_id`,`paid_at`);

CREATE UNIQUE INDEX `checkouts_open_unique` ON `checkouts` (`enrollment_id`) WHERE "checkouts"."status" IN ('open', 'confirming');

CREATE UNIQUE INDEX `checkouts_payment_intent_unique` ON `checkouts` (`payment_intent`) WHERE "checkouts"."payment_intent" IS NOT NULL;

CREATE INDEX `checkouts_person_index` ON `checkouts` (`owner_id`,`person_id`);

CREATE INDEX `checkouts_problem_index` ON `checkouts` (`owner_id`,`problem`) WHERE "checkouts"."problem" IS NOT NULL;

CREATE UNIQUE INDEX `checkouts_session_id_unique` ON `checkouts` (`session_id`) WHERE "checkouts"."session_id" IS NOT NULL;

CREATE INDEX `checkouts_under_way_index` ON `checkouts` (`cohort_id`) WHERE "checkouts"."status" IN ('open', 'confirming');

CREATE TRIGGER `checkouts_agree` AFTER UPDATE OF `status` ON `checkouts`
WHEN NEW.status IN ('confirming', 'paid')
BEGIN
  UPDATE people SET agreed_at = max(NEW.created_at, coalesce(agreed_at, 0))
    WHERE id = NEW.person_id AND owner_id = NEW.owner_id AND erased_at IS NULL;
END;

CREATE TABLE `cohort_erasures` (
	`id` integer PRIMARY KEY NOT NULL,
	`owner_id` text NOT NULL,
	`cohort_id` text NOT NULL,
	`at` integer NOT NULL,
	`actor` text NOT NULL,
	FOREIGN KEY (`owner_id`,`cohort_id`) REFERENCES `cohorts`(`owner_id`,`id`) ON UPDATE no action ON DELETE cascade
);

CREATE INDEX `cohort_erasures_owner_id_cohort_id_at_index` ON `cohort_erasures` (`owner_id`,`cohort_id`,`at`);

CREATE TABLE `cohort_sections` (
	`cohort_id` text NOT NULL,
	`section_id` text NOT NULL,
	`owner_id` text NOT NULL,
	`mode` text NOT NULL,
	`opens_local` text,
	`opens_at` integer,
	`meeting_id` text,
	`meeting_edge` text,
	PRIMARY KEY(`cohort_id`, `section_id`),
	FOREIGN KEY (`meeting_id`) REFERENCES `meetings`(`id`) ON UPDATE no action ON DELETE set null,
	FOREIGN KEY (`owner_id`,`cohort_id`) REFERENCES `cohorts`(`owner_id`,`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`owner_id`,`section_id`) REFERENCES `sections`(`owner_id`,`id`) ON UPDATE no action ON DELETE cascade
);

CREATE INDEX `cohort_sections_cohort_index` ON `cohort_sections` (`owner_id`,`cohort_id`);

CREATE INDEX `cohort_sections_meeting_index` ON `cohort_sections` (`meeting_id`);

CREATE INDEX `cohort_sections_section_index` ON `cohort_sections` (`owner_id`,`section_id`);

CREATE TRIGGER `cohort_sections_release_on_delete` AFTER DELETE ON `cohort_sections`
BEGIN
  UPDATE learning SET next_release_at = -coalesce(abs(next_release_at), 0) WHERE cohort_id = OLD.cohort_id;
END;

CREATE TRIGGER `cohort_sections_release_on_insert` AFTER INSERT ON `cohort_sections`
BEGIN
  UPDATE learning SET next_release_at = -coalesce(abs(next_release_at), 0) WHERE cohort_id = NEW.cohort_id;
END;

CREATE TRIGGER `cohort_sections_release_on_update` AFTER UPDATE ON `cohort_sections`
BEGIN
  UPDATE learning SET next_release_at = -coalesce(abs(next_release_at), 0) WHERE cohort_id = NEW.cohort_id;
END;

CREATE TABLE `cohorts` (
	`id` text PRIMARY KEY NOT NULL,
	`owner_id` text NOT NULL,
	`course_id` text NOT NULL,
	`name` text NOT NULL,
	`description` text,
	`starts_on` text NOT NULL,
	`ends_on` text NOT NULL,
	`time_zone` text NOT NULL,
	`starts_at` integer NOT NULL,
	`ends_at` integer NOT NULL,
	`join_mode` text NOT NULL,
	`enrollment_opens_local` text,
	`enrollment_opens_at` integer,
	`enrollment_closes_local` text,
	`enrollment_closes_at` integer,
	`enrollment_override` text,
	`capacity` integer,
	`waitlist` integer NOT NULL,
	`offer_hours` integer NOT NULL,
	`minimum_people` integer,
	`shows_minimum` integer NOT NULL,
	`shows_places_left` integer NOT NULL,
	`place` text,
	`join_url` text,
	`price_minor` integer,
	`currency` text,
	`language` text NOT NULL,
	`slug` text NOT NULL,
	`published_at` integer,
	`archived_at` integer,
	`deleted_at` integer,
	`idempotency_key` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL, `welcome_note` text, `reminds_invited` integer DEFAULT true NOT NULL, `question` text, `reminds_start` integer DEFAULT true NOT NULL, `reminds_day_before` integer DEFAULT true NOT NULL, `reminds_hour_before` integer DEFAULT false NOT NULL, `start_reminder_at` integer, `start_reminded_on` text, `payment_note` text, `payment_url` text, `terms_url` text, `join_passcode` text, `second_teacher` text, `second_teacher_line` text, `early_price_minor` integer, `early_until_local` text, `early_until_at` integer, `sends_receipts` integer DEFAULT false NOT NULL, `refund_note` text, `sends_certificates` integer DEFAULT true NOT NULL, `kind` text DEFAULT 'dated' NOT NULL, `announces_releases` integer DEFAULT true NOT NULL, `sends_nudges` integer DEFAULT true NOT NULL, `access_days` integer, `payment_mode` text DEFAULT 'own' NOT NULL, `money_kept_at` integer, `closed_by_type` integer DEFAULT false NOT NULL, `completions_due` integer DEFAULT false NOT NULL,
	FOREIGN KEY (`owner_id`,`course_id`) REFERENCES `courses`(`owner_id`,`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "cohorts_ends_on_check" CHECK("cohorts"."ends_on" >= "cohorts"."starts_on"),
	CONSTRAINT "cohorts_capacity_check" CHECK("cohorts"."capacity" >= 1),
	CONSTRAINT "cohorts_minimum_people_check" CHECK("cohorts"."minimum_people" >= 1),
	CONSTRAINT "cohorts_price_check" CHECK(("cohorts"."price_minor" IS NULL) = ("cohorts"."currency" IS NULL) AND "cohorts"."price_minor" >= 0)
);

CREATE INDEX `cohorts_completions_due_index` ON `cohorts` (`completions_due`) WHERE "cohorts"."completions_due" = 1;

CREATE INDEX `cohorts_course_index` ON `cohorts` (`owner_id`,`course_id`,`deleted_at`,`starts_on`,`id`);

CREATE INDEX `cohorts_deleted_at_index` ON `cohorts` (`deleted_at`) WHERE "cohorts"."deleted_at" IS NOT NULL;

CREATE INDEX `cohorts_ends_at_id_index` ON `cohorts` (`ends_at`,`id`);

CREATE UNIQUE INDEX `cohorts_open_run_unique` ON `cohorts` (`owner_id`,`course_id`) WHERE "cohorts"."kind" = 'open';

CREATE INDEX `cohorts_owner_id_ends_at_index` ON `cohorts` (`owner_id`,`ends_at`);

CREATE UNIQUE INDEX `cohorts_owner_id_id_unique` ON `cohorts` (`owner_id`,`id`);

CREATE UNIQUE INDEX `cohorts_owner_id_idempotency_key_unique` ON `cohorts` (`owner_id`,`idempotency_key`);

CREATE UNIQUE INDEX `cohorts_slug_unique` ON `cohorts` (`slug`);

CREATE INDEX `cohorts_start_reminder_at_index` ON `cohorts` (`start_reminder_at`) WHERE "cohorts"."start_reminded_on" IS NOT "cohorts"."starts_on";

CREATE TRIGGER `cohorts_keep_currency` BEFORE UPDATE OF `currency` ON `cohorts`
WHEN NEW.currency IS NOT OLD.currency
 AND (SELECT u.currency FROM used_currencies u WHERE u.cohort_id = NEW.id) <> NEW.currency
BEGIN
  SELECT RAISE(ABORT, 'currency_in_use');
END;

CREATE TRIGGER `cohorts_look_at_pages` AFTER UPDATE OF `deleted_at`, `archived_at` ON `cohorts`
BEGIN
  UPDATE checkouts SET check_at = 0 WHERE cohort_id = NEW.id AND status IN ('open', 'confirming');
END;

CREATE TRIGGER `cohorts_release_again` AFTER UPDATE OF `starts_at` ON `cohorts`
WHEN OLD.starts_at <> NEW.starts_at
BEGIN
  UPDATE learning SET next_release_at = -coalesce(abs(next_release_at), 0)
    WHERE cohort_id = NEW.id AND EXISTS (SELECT 1 FROM sections s WHERE s.owner_id = NEW.owner_id
      AND s.course_id = NEW.course_id AND s.release_days IS NOT NULL);
END;

CREATE TRIGGER `interests_due_on_cohort` AFTER UPDATE ON `cohorts`
WHEN EXISTS (SELECT 1 FROM course_interests i WHERE i.course_id = NEW.course_id AND i.confirmed_at IS NOT NULL)
BEGIN
  INSERT INTO interests_due (course_id, owner_id, due_at) VALUES (NEW.course_id, NEW.owner_id, 0)
    ON CONFLICT (course_id) DO UPDATE SET due_at = 0;
END;

CREATE TRIGGER `interests_due_on_new_cohort` AFTER INSERT ON `cohorts`
WHEN EXISTS (SELECT 1 FROM course_interests i WHERE i.course_id = NEW.course_id AND i.confirmed_at IS NOT NULL)
BEGIN
  INSERT INTO interests_due (course_id, owner_id, due_at) VALUES (NEW.course_id, NEW.owner_id, 0)
    ON CONFLICT (course_id) DO UPDATE SET due_at = 0;
END;

CREATE TABLE `counters` (
	`key` text NOT NULL,
	`window_start` integer NOT NULL,
	`count` integer NOT NULL,
	`expires_at` integer NOT NULL,
	PRIMARY KEY(`key`, `window_start`)
);

CREATE INDEX `counters_expires_at_index` ON `counters` (`expires_at`);

CREATE TABLE `course_interests` (
	`id` text PRIMARY KEY NOT NULL,
	`owner_id` text NOT NULL,
	`course_id` text NOT NULL,
	`email` text NOT NULL,
	`email_canonical` text NOT NULL,
	`language` text NOT NULL,
	`consent_version` integer NOT NULL,
	`created_at` integer NOT NULL,
	`confirmed_at` integer,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`owner_id`,`course_id`) REFERENCES `courses`(`owner_id`,`id`) ON UPDATE no action ON DELETE cascade
);

CREATE INDEX `course_interests_confirmed_index` ON `course_interests` (`course_id`) WHERE "course_interests"."confirmed_at" IS NOT NULL;

CREATE UNIQUE INDEX `course_interests_course_id_email_canonical_unique` ON `course_interests` (`course_id`,`email_canonical`);

CREATE INDEX `course_interests_expires_at_index` ON `course_interests` (`expires_at`);

CREATE INDEX `course_interests_owner_id_course_id_index` ON `course_interests` (`owner_id`,`course_id`);

CREATE TRIGGER `interests_due_on_confirm` AFTER UPDATE OF `confirmed_at` ON `course_interests`
WHEN NEW.confirmed_at IS NOT NULL
BEGIN
  INSERT INTO interests_due (course_id, owner_id, due_at) VALUES (NEW.course_id, NEW.owner_id, 0)
    ON CONFLICT (course_id) DO UPDATE SET due_at = 0;
END;

CREATE TRIGGER `interests_due_on_insert` AFTER INSERT ON `course_interests`
WHEN NEW.confirmed_at IS NOT NULL
BEGIN
  INSERT INTO interests_due (course_id, owner_id, due_at) VALUES (NEW.course_id, NEW.owner_id, 0)
    ON CONFLICT (course_id) DO UPDATE SET due_at = 0;
END;

CREATE TABLE "courses" (
	`id` text PRIMARY KEY NOT NULL,
	`owner_id` text NOT NULL,
	`name` text NOT NULL,
	`course_type` text NOT NULL,
	`idempotency_key` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL, `slug` text, `about` text, `hue` text, `shows_outline` integer DEFAULT false NOT NULL, `picture` text,
	FOREIGN KEY (`owner_id`) REFERENCES "users"(`id`) ON UPDATE no action ON DELETE cascade
);

CREATE INDEX `courses_owner_id_created_at_id_index` ON `courses` (`owner_id`,`created_at`,`id`);

CREATE UNIQUE INDEX `courses_owner_id_id_unique` ON `courses` (`owner_id`,`id`);

CREATE UNIQUE INDEX `courses_owner_id_idempotency_key_unique` ON `courses` (`owner_id`,`idempotency_key`);

CREATE INDEX `courses_picture_index` ON `courses` (`picture`) WHERE "courses"."picture" IS NOT NULL;

CREATE UNIQUE INDEX `courses_slug_unique` ON `courses` (`slug`);

CREATE TRIGGER `courses_close_open_run` AFTER UPDATE OF `course_type` ON `courses`
WHEN OLD.course_type <> NEW.course_type
BEGIN
  UPDATE cohorts SET closed_by_type = NEW.course_type = 'cohort'
    WHERE owner_id = NEW.owner_id AND course_id = NEW.id AND kind = 'open';
END;

CREATE TRIGGER `courses_name_open_run` AFTER UPDATE OF `name` ON `courses`
WHEN OLD.name <> NEW.name
BEGIN
  UPDATE cohorts SET name = NEW.name
    WHERE owner_id = NEW.owner_id AND course_id = NEW.id AND kind = 'open';
END;

CREATE TRIGGER courses_picture_delete AFTER DELETE ON courses
WHEN OLD.picture IS NOT NULL AND NOT EXISTS (SELECT 1 FROM courses c WHERE c.picture = OLD.picture)
BEGIN
  INSERT INTO objects_gone (object_key, delete_at) VALUES (OLD.picture, 0) ON CONFLICT DO NOTHING;
END;

CREATE TRIGGER courses_picture_update AFTER UPDATE OF picture ON courses
WHEN OLD.picture IS NOT NULL AND NOT EXISTS (SELECT 1 FROM courses c WHERE c.picture = OLD.picture)
BEGIN
  INSERT INTO objects_gone (object_key, delete_at) VALUES (OLD.picture, 0) ON CONFLICT DO NOTHING;
END;

CREATE TABLE `days_off` (
	`id` text PRIMARY KEY NOT NULL,
	`owner_id` text NOT NULL,
	`cohort_id` text NOT NULL,
	`on_date` text NOT NULL,
	`reason` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`owner_id`,`cohort_id`) REFERENCES `cohorts`(`owner_id`,`id`) ON UPDATE no action ON DELETE cascade
);

CREATE UNIQUE INDEX `days_off_cohort_id_on_date_unique` ON `days_off` (`cohort_id`,`on_date`);

CREATE INDEX `days_off_owner_id_cohort_id_index` ON `days_off` (`owner_id`,`cohort_id`);

CREATE TABLE `enrollment_events` (
	`id` integer PRIMARY KEY NOT NULL,
	`owner_id` text NOT NULL,
	`enrollment_id` text NOT NULL,
	`at` integer NOT NULL,
	`actor` text NOT NULL,
	`from_status` text,
	`to_status` text NOT NULL, `moved_from` text, `actor_user_id` text,
	FOREIGN KEY (`owner_id`,`enrollment_id`) REFERENCES `enrollments`(`owner_id`,`id`) ON UPDATE no action ON DELETE cascade
);

CREATE INDEX `enrollment_events_answers_index` ON `enrollment_events` (`owner_id`) WHERE "enrollment_events"."actor" = 'person' AND "enrollment_events"."from_status" = 'invited';

CREATE INDEX `enrollment_events_owner_id_enrollment_id_index` ON `enrollment_events` (`owner_id`,`enrollment_id`);

CREATE TRIGGER `enrollment_events_agree` AFTER INSERT ON `enrollment_events`
WHEN NEW.actor = 'person' AND NEW.to_status IN ('applied', 'waitlisted', 'offered', 'enrolled')
BEGIN
  UPDATE people SET agreed_at = NEW.at WHERE id = (SELECT e.person_id FROM enrollments e WHERE e.id = NEW.enrollment_id)
    -- Who pays has acted when they went to pay.
    AND NOT EXISTS (SELECT 1 FROM checkouts o WHERE o.enrollment_id = NEW.enrollment_id AND o.paid_at = NEW.at);
END;

CREATE TRIGGER `enrollment_events_news` AFTER INSERT ON `enrollment_events`
WHEN NEW.actor = 'person' AND NEW.to_status IN ('enrolled', 'waitlisted', 'applied', 'left')
 AND NOT EXISTS (SELECT 1 FROM news_due WHERE owner_id = NEW.owner_id)
BEGIN
  INSERT INTO news_due (owner_id, since, due_at) VALUES (NEW.owner_id, NEW.at, 0);
END;

CREATE TABLE `enrollment_requests` (
	`id` text PRIMARY KEY NOT NULL,
	`owner_id` text NOT NULL,
	`cohort_id` text NOT NULL,
	`email` text NOT NULL,
	`email_canonical` text NOT NULL,
	`name` text NOT NULL,
	`language` text NOT NULL,
	`consent_version` integer NOT NULL,
	`person_id` text,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL, `question` text, `answer` text,
	FOREIGN KEY (`person_id`) REFERENCES `people`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`owner_id`,`cohort_id`) REFERENCES `cohorts`(`owner_id`,`id`) ON UPDATE no action ON DELETE cascade
);

CREATE UNIQUE INDEX `enrollment_requests_cohort_id_email_canonical_unique` ON `enrollment_requests` (`cohort_id`,`email_canonical`);

CREATE INDEX `enrollment_requests_expires_at_index` ON `enrollment_requests` (`expires_at`);

CREATE INDEX `enrollment_requests_owner_id_cohort_id_index` ON `enrollment_requests` (`owner_id`,`cohort_id`);

CREATE INDEX `enrollment_requests_person_id_index` ON `enrollment_requests` (`person_id`);

CREATE TABLE `enrollments` (
	`id` text PRIMARY KEY NOT NULL,
	`owner_id` text NOT NULL,
	`cohort_id` text NOT NULL,
	`person_id` text NOT NULL,
	`name_key` text NOT NULL,
	`status` text NOT NULL,
	`queue_no` integer,
	`offer_no` integer DEFAULT 0 NOT NULL,
	`expires_at` integer,
	`over_capacity` integer DEFAULT false NOT NULL,
	`completed_at` integer,
	`changed_by` text NOT NULL,
	`status_changed_at` integer NOT NULL,
	`created_at` integer NOT NULL, `question` text, `answer` text, `changed_by_user_id` text, `left_note` text, `owes_after_leaving` integer DEFAULT false NOT NULL, `held_for` text,
	FOREIGN KEY (`owner_id`,`cohort_id`) REFERENCES `cohorts`(`owner_id`,`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`owner_id`,`person_id`) REFERENCES `people`(`owner_id`,`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "enrollments_queue_no_check" CHECK(("enrollments"."status" = 'waitlisted') = ("enrollments"."queue_no" IS NOT NULL)),
	CONSTRAINT "enrollments_expires_at_check" CHECK(("enrollments"."status" IN ('offered', 'invited')) = ("enrollments"."expires_at" IS NOT NULL)),
	CONSTRAINT "enrollments_over_capacity_check" CHECK("enrollments"."over_capacity" = 0 OR "enrollments"."status" IN ('enrolled', 'offered')),
	CONSTRAINT "enrollments_completed_at_check" CHECK("enrollments"."completed_at" IS NULL OR "enrollments"."status" = 'enrolled')
);

CREATE INDEX `enrollments_changed_index` ON `enrollments` (`cohort_id`,`status_changed_at`);

CREATE UNIQUE INDEX `enrollments_cohort_id_person_id_unique` ON `enrollments` (`cohort_id`,`person_id`);

CREATE UNIQUE INDEX `enrollments_cohort_id_queue_no_unique` ON `enrollments` (`cohort_id`,`queue_no`);

CREATE INDEX `enrollments_completed_index` ON `enrollments` (`cohort_id`,`completed_at`) WHERE "enrollments"."completed_at" IS NOT NULL;

CREATE INDEX `enrollments_expires_at_index` ON `enrollments` (`expires_at`) WHERE "enrollments"."status" IN ('offered', 'invited');

CREATE UNIQUE INDEX `enrollments_owner_id_id_unique` ON `enrollments` (`owner_id`,`id`);

CREATE INDEX `enrollments_person_id_owner_id_index` ON `enrollments` (`person_id`,`owner_id`);

CREATE INDEX `enrollments_places_index` ON `enrollments` (`cohort_id`,`status`,`queue_no`,`expires_at`);

CREATE INDEX `enrollments_roster_index` ON `enrollments` (`cohort_id`,`name_key`,`id`);

CREATE INDEX `enrollments_status_index` ON `enrollments` (`cohort_id`,`status`,`name_key`,`id`);

CREATE INDEX `enrollments_there_index` ON `enrollments` (`cohort_id`,`name_key`,`id`) WHERE "enrollments"."status" IN ('enrolled', 'offered', 'invited');

CREATE TRIGGER `enrollments_balance_on_delete` AFTER DELETE ON `enrollments`
BEGIN
  UPDATE balances SET is_stale = 1 WHERE owner_id = OLD.owner_id AND person_id = OLD.person_id;
END;

CREATE TRIGGER `enrollments_balance_on_update`
AFTER UPDATE OF `status`, `changed_by`, `owes_after_leaving`, `cohort_id` ON `enrollments`
BEGIN
  UPDATE balances SET is_stale = 1 WHERE enrollment_id = NEW.id;
END;

CREATE TRIGGER `enrollments_begin_on_insert` AFTER INSERT ON `enrollments`
WHEN NEW.status = 'enrolled'
BEGIN
  INSERT INTO new_entries (enrollment_id, cohort_id, kind, amount_minor, currency, source)
    SELECT a.enrollment_id, a.cohort_id, 'charge', a.amount_minor, a.currency, 'enrollment'
    FROM agreed_prices a WHERE a.enrollment_id = NEW.id AND a.amount_minor > 0;
  INSERT INTO learning (enrollment_id, owner_id, cohort_id, started_at, access_from)
    VALUES (NEW.id, NEW.owner_id, NEW.cohort_id, NEW.status_changed_at, NEW.status_changed_at);
END;

CREATE TRIGGER `enrollments_begin_on_update` AFTER UPDATE OF `status` ON `enrollments`
WHEN NEW.status = 'enrolled' AND OLD.status <> 'enrolled'
BEGIN
  -- What was waived of earlier access stays waived.
  INSERT INTO new_entries (enrollment_id, cohort_id, kind, amount_minor, currency, source)
    SELECT x.enrollment_id, x.cohort_id, 'waiver', sum(x.amount_minor), x.currency, 'enrollment' FROM last_charges x
    WHERE x.enrollment_id = NEW.id AND x.cohort_id = NEW.cohort_id
      AND NOT EXISTS (SELECT 1 FROM access_ends a WHERE a.enrollment_id = NEW.id AND a.kind = 'open'
        AND a.ends_at <= NEW.status_changed_at)
    GROUP BY x.enrollment_id HAVING sum(x.amount_minor) < 0 AND max(x.kind = 'charge');
  INSERT INTO new_entries (enrollment_id, cohort_id, kind, amount_minor, currency, reverses_id, source)
    SELECT x.enrollment_id, x.cohort_id, x.kind, -x.amount_minor, x.currency, x.id, 'enrollment' FROM last_charges x
    WHERE x.enrollment_id = NEW.id AND x.cohort_id = NEW.cohort_id
      AND (x.kind = 'waiver' OR x.source = 'enrollment'
        AND x.amount_minor IS NOT (SELECT a.amount_minor FROM agreed_prices a WHERE a.enrollment_id = NEW.id))
      AND NOT EXISTS (SELECT 1 FROM access_ends a WHERE a.enrollment_id = NEW.id AND a.kind = 'open'
        AND a.ends_at <= NEW.status_changed_at);
  INSERT INTO new_entries (enrollment_id, cohort_id, kind, amount_minor, currency, source)
    SELECT a.enrollment_id, a.cohort_id, 'charge', a.amount_minor, a.currency, 'enrollment'
    FROM agreed_prices a WHERE a.enrollment_id = NEW.id AND a.amount_minor > 0
      AND (NOT EXISTS (SELECT 1 FROM last_charges x WHERE x.enrollment_id = NEW.id AND x.kind = 'charge')
        OR EXISTS (SELECT 1 FROM access_ends s WHERE s.enrollment_id = NEW.id AND s.kind = 'open'
          AND s.ends_at <= NEW.status_changed_at));
  INSERT INTO learning (enrollment_id, owner_id, cohort_id, started_at, access_from)
    VALUES (NEW.id, NEW.owner_id, NEW.cohort_id, NEW.status_changed_at, NEW.status_changed_at)
    ON CONFLICT (enrollment_id) DO UPDATE SET access_from = excluded.access_from
      WHERE NEW.changed_by = 'owner'
        OR EXISTS (SELECT 1 FROM ledger_entries x WHERE x.enrollment_id = NEW.id AND x.kind = 'waiver'
          AND x.reverses_id IS NOT NULL AND x.created_at = NEW.status_changed_at)
        OR EXISTS (SELECT 1 FROM checkouts o WHERE o.enrollment_id = NEW.id
          AND o.paid_at = NEW.status_changed_at AND o.paid_minor >= o.price_minor)
        OR NOT EXISTS (SELECT 1 FROM agreed_prices a WHERE a.enrollment_id = NEW.id AND a.amount_minor > 0);
END;

CREATE TRIGGER `enrollments_complete_again` AFTER UPDATE OF `status`, `cohort_id` ON `enrollments`
WHEN NEW.status = 'enrolled' AND NEW.completed_at IS NULL
  AND (OLD.status <> 'enrolled' OR OLD.cohort_id <> NEW.cohort_id)
  AND EXISTS (SELECT 1 FROM lesson_marks m WHERE m.enrollment_id = NEW.id AND m.done_at IS NOT NULL)
BEGIN
  UPDATE cohorts SET completions_due = 1 WHERE id = NEW.cohort_id AND kind = 'open';
  UPDATE learning SET taken_back = 0 WHERE enrollment_id = NEW.id AND taken_back = 1 AND OLD.cohort_id <> NEW.cohort_id;
END;

CREATE TRIGGER `enrollments_count_completed` AFTER UPDATE OF `completed_at` ON `enrollments`
WHEN NEW.status = 'enrolled' AND OLD.cohort_id = NEW.cohort_id AND (OLD.completed_at IS NULL) <> (NEW.completed_at IS NULL)
BEGIN
  INSERT INTO run_days (cohort_id, day, owner_id, completed)
    SELECT c.id, coalesce(NEW.completed_at, OLD.completed_at) / 86400000, c.owner_id, NEW.completed_at IS NOT NULL
      FROM cohorts c WHERE c.id = NEW.cohort_id AND c.kind = 'open'
    ON CONFLICT (cohort_id, day) DO UPDATE
      SET completed = max(0, completed + CASE WHEN NEW.completed_at IS NULL THEN -1 ELSE 1 END);
END;

CREATE TRIGGER `enrollments_count_status_on_delete` AFTER DELETE ON `enrollments`
BEGIN
  UPDATE run_statuses SET people = people - 1 WHERE cohort_id = OLD.cohort_id AND status = OLD.status;
END;

CREATE TRIGGER `enrollments_count_status_on_insert` AFTER INSERT ON `enrollments`
BEGIN
  INSERT INTO run_statuses (cohort_id, status, owner_id, people)
    SELECT c.id, NEW.status, c.owner_id, 1 FROM cohorts c WHERE c.id = NEW.cohort_id AND c.kind = 'open'
    ON CONFLICT (cohort_id, status) DO UPDATE SET people = people + 1;
END;

CREATE TRIGGER `enrollments_count_status_on_update` AFTER UPDATE OF `status`, `cohort_id` ON `enrollments`
WHEN OLD.status <> NEW.status OR OLD.cohort_id <> NEW.cohort_id
BEGIN
  UPDATE run_statuses SET people = people - 1 WHERE cohort_id = OLD.cohort_id AND status = OLD.status;
  INSERT INTO run_statuses (cohort_id, status, owner_id, people)
    SELECT c.id, NEW.status, c.owner_id, 1 FROM cohorts c WHERE c.id = NEW.cohort_id AND c.kind = 'open'
    ON CONFLICT (cohort_id, status) DO UPDATE SET people = people + 1;
END;

CREATE TRIGGER `enrollments_history_on_insert` AFTER INSERT ON `enrollments`
BEGIN
  INSERT INTO enrollment_events (owner_id, enrollment_id, at, actor, from_status, to_status, actor_user_id)
    VALUES (NEW.owner_id, NEW.id, NEW.status_changed_at, NEW.changed_by, NULL, NEW.status,
      CASE NEW.changed_by WHEN 'owner' THEN NEW.changed_by_user_id END);
END;

CREATE TRIGGER `enrollments_history_on_move` AFTER UPDATE OF `cohort_id` ON `enrollments`
WHEN OLD.cohort_id <> NEW.cohort_id
BEGIN
  INSERT INTO enrollment_events (owner_id, enrollment_id, at, actor, from_status, to_status, moved_from, actor_user_id)
    VALUES (NEW.owner_id, NEW.id, NEW.status_changed_at, NEW.changed_by, OLD.status, NEW.status,
      (SELECT name FROM cohorts WHERE id = OLD.cohort_id),
      CASE NEW.changed_by WHEN 'owner' THEN NEW.changed_by_user_id END);
END;

CREATE TRIGGER `enrollments_history_on_update` AFTER UPDATE OF `status` ON `enrollments`
WHEN OLD.status <> NEW.status
BEGIN
  INSERT INTO enrollment_events (owner_id, enrollment_id, at, actor, from_status, to_status, actor_user_id)
    VALUES (NEW.owner_id, NEW.id, NEW.status_changed_at, NEW.changed_by, OLD.status, NEW.status,
      CASE NEW.changed_by WHEN 'owner' THEN NEW.changed_by_user_id END);
END;

CREATE TRIGGER `enrollments_hold_capacity_on_insert` AFTER INSERT ON `enrollments`
WHEN NEW.status IN ('enrolled', 'offered') AND NEW.over_capacity = 0
 AND (SELECT capacity FROM cohorts WHERE id = NEW.cohort_id) IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'cohort_full') WHERE (SELECT capacity FROM cohorts WHERE id = NEW.cohort_id) <
    (SELECT count(*) FROM enrollments e WHERE e.cohort_id = NEW.cohort_id
       AND (e.status = 'enrolled' OR (e.status = 'offered' AND e.expires_at > NEW.status_changed_at)));
END;

CREATE TRIGGER `enrollments_hold_capacity_on_update` BEFORE UPDATE OF `status`, `expires_at`, `over_capacity`, `cohort_id` ON `enrollments`
WHEN NEW.status IN ('enrolled', 'offered') AND NEW.over_capacity = 0
 AND NOT (OLD.cohort_id = NEW.cohort_id AND (OLD.status = 'enrolled' OR (OLD.status = 'offered' AND OLD.expires_at > NEW.status_changed_at)))
 AND (SELECT capacity FROM cohorts WHERE id = NEW.cohort_id) IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'cohort_full') WHERE (SELECT capacity FROM cohorts WHERE id = NEW.cohort_id) <=
    (SELECT count(*) FROM enrollments e WHERE e.cohort_id = NEW.cohort_id AND e.person_id <> NEW.person_id
       AND (e.status = 'enrolled' OR (e.status = 'offered' AND e.expires_at > NEW.status_changed_at)));
END;

CREATE TRIGGER `enrollments_link_on_insert` AFTER INSERT ON `enrollments`
BEGIN
  UPDATE people SET unlinked_at = NULL WHERE id = NEW.person_id AND unlinked_at IS NOT NULL;
END;

CREATE TRIGGER `enrollments_look_at_page` AFTER UPDATE OF `status` ON `enrollments`
WHEN OLD.status <> NEW.status
BEGIN
  UPDATE checkouts SET check_at = min(check_at, NEW.status_changed_at)
    WHERE enrollment_id = NEW.id AND status = 'open';
END;

CREATE TRIGGER `enrollments_look_at_page_on_delete` AFTER DELETE ON `enrollments`
BEGIN
  UPDATE checkouts SET check_at = 0 WHERE enrollment_id = OLD.id AND status = 'open';
END;

CREATE TRIGGER `enrollments_move_account` AFTER UPDATE OF `cohort_id` ON `enrollments`
WHEN OLD.cohort_id <> NEW.cohort_id
BEGIN
  -- A page that is open is one for what they owe there.
  UPDATE checkouts SET (course_id, course_name, cohort_id, cohort_name, price_minor) =
      (SELECT c.course_id, k.name, c.id, c.name, NULL FROM cohorts c JOIN courses k ON k.id = c.course_id
        WHERE c.id = NEW.cohort_id), check_at = min(check_at, NEW.status_changed_at)
    WHERE enrollment_id = NEW.id AND status IN ('open', 'confirming');
  -- A cohort without a currency takes that of the money.
  INSERT INTO new_entries (enrollment_id, cohort_id, kind, amount_minor, currency, method, method_word, received_on, source)
    SELECT NEW.id, c.id, x.kind, x.amount_minor, x.currency, x.method, x.method_word, x.received_on, 'move'
    FROM live_entries x JOIN cohorts c ON c.id = NEW.cohort_id JOIN used_currencies u ON u.cohort_id = c.id
    WHERE x.enrollment_id = NEW.id AND x.cohort_id = OLD.cohort_id AND x.kind IN ('payment', 'refund')
      AND x.currency = coalesce(u.currency, c.currency, x.currency);
  -- What was waived becomes one entry, for as much of the price as that money leaves; not what was of earlier access.
  INSERT INTO new_entries (enrollment_id, cohort_id, kind, amount_minor, currency, source)
    SELECT NEW.id, c.id, 'waiver', -min(w.waived, w.owed), c.currency, 'move'
    FROM cohorts c JOIN (SELECT
        (SELECT coalesce(-sum(x.amount_minor), 0) FROM live_entries x JOIN cohorts n ON n.id = NEW.cohort_id AND n.currency = x.currency
          WHERE x.enrollment_id = NEW.id AND x.cohort_id = OLD.cohort_id AND x.kind = 'waiver'
            AND x.source NOT IN ('enrollment', 'leaving')) AS waived,
        (SELECT coalesce(sum(x.amount_minor), 0) FROM ledger_entries x
          WHERE x.enrollment_id = NEW.id AND x.cohort_id = NEW.cohort_id)
        + coalesce((SELECT a.amount_minor FROM agreed_prices a
          WHERE a.enrollment_id = NEW.id AND NEW.status = 'enrolled'), 0) AS owed) w
    WHERE c.id = NEW.cohort_id AND w.waived > 0 AND w.owed > 0;
  INSERT INTO new_entries (enrollment_id, cohort_id, kind, amount_minor, currency, method, method_word, received_on, reverses_id, source)
    SELECT NEW.id, x.cohort_id, x.kind, -x.amount_minor, x.currency, x.method, x.method_word, x.received_on, x.id, 'move'
    FROM live_entries x JOIN cohorts c ON c.id = NEW.cohort_id JOIN used_currencies u ON u.cohort_id = c.id
    WHERE x.enrollment_id = NEW.id AND x.cohort_id = OLD.cohort_id
      AND (x.kind = 'charge' OR x.currency = coalesce(u.currency, c.currency, x.currency));
  INSERT INTO new_entries (enrollment_id, cohort_id, kind, amount_minor, currency, source)
    SELECT a.enrollment_id, a.cohort_id, 'charge', a.amount_minor, a.currency, 'enrollment'
    FROM agreed_prices a WHERE a.enrollment_id = NEW.id AND NEW.status = 'enrolled' AND a.amount_minor > 0;
END;

CREATE TRIGGER `enrollments_move_learning` AFTER UPDATE OF `cohort_id` ON `enrollments`
WHEN OLD.cohort_id <> NEW.cohort_id
BEGIN
  UPDATE lesson_marks SET cohort_id = NEW.cohort_id WHERE enrollment_id = NEW.id;
  UPDATE learning SET cohort_id = NEW.cohort_id, access_from = NEW.status_changed_at, done = (SELECT count(*) FROM lesson_marks m
      JOIN lessons l ON l.id = m.lesson_id JOIN cohorts c ON c.id = NEW.cohort_id AND c.course_id = l.course_id
      WHERE m.enrollment_id = NEW.id AND m.done_at IS NOT NULL
        AND l.published_at IS NOT NULL AND l.deleted_at IS NULL)
    WHERE enrollment_id = NEW.id;
END;

CREATE TRIGGER `enrollments_settle_payment` AFTER UPDATE OF `status` ON `enrollments`
WHEN NEW.status = 'enrolled' AND OLD.status <> 'enrolled'
BEGIN
  UPDATE checkouts SET problem = NULL, decide_by = NULL
    WHERE enrollment_id = NEW.id AND problem = 'no_place' AND NOT EXISTS (SELECT 1 FROM refunds_wanted w
      WHERE w.checkout_id = checkouts.id AND w.done_at IS NULL AND w.failed_at IS NULL);
END;

CREATE TRIGGER `enrollments_stand` AFTER UPDATE OF `status`, `completed_at`, `cohort_id` ON `enrollments`
WHEN OLD.status <> NEW.status OR (OLD.completed_at IS NULL) <> (NEW.completed_at IS NULL)
  OR OLD.cohort_id <> NEW.cohort_id
BEGIN
  UPDATE learning SET (standing, quiet_at, nudge_due_at) = (SELECT
      CASE WHEN NEW.completed_at IS NULL THEN 'under_way' ELSE 'completed' END,
      CASE WHEN NEW.completed_at IS NULL
        THEN max(NEW.status_changed_at + 604800000, coalesce(learning.last_seen_at, 0) + 1209600000) END,
      CASE WHEN NEW.completed_at IS NULL
        THEN max(NEW.status_changed_at, coalesce(learning.last_seen_at, learning.started_at))
          + CASE learning.nudges WHEN 0 THEN 604800000 WHEN 1 THEN 1814400000 END END
      FROM cohorts c WHERE c.id = NEW.cohort_id AND c.kind = 'open' AND NEW.status = 'enrolled')
    WHERE enrollment_id = NEW.id AND (standing IS NOT NULL
      OR (SELECT c.kind FROM cohorts c WHERE c.id = NEW.cohort_id) = 'open');
  UPDATE learning SET next_release_at = -coalesce(abs(next_release_at), 0)
    WHERE enrollment_id = NEW.id AND NEW.status = 'enrolled'
      AND (OLD.status <> 'enrolled' OR OLD.cohort_id <> NEW.cohort_id)
      AND (next_release_at IS NOT NULL OR EXISTS (SELECT 1 FROM cohorts c
        JOIN sections s ON s.owner_id = c.owner_id AND s.course_id = c.course_id
        WHERE c.id = NEW.cohort_id AND (s.release_days IS NOT NULL
          OR EXISTS (SELECT 1 FROM cohort_sections o WHERE o.cohort_id = c.id AND o.section_id = s.id))));
END;

CREATE TRIGGER `enrollments_take_completion_back` AFTER UPDATE OF `completed_at` ON `enrollments`
WHEN OLD.completed_at IS NOT NULL AND NEW.completed_at IS NULL
  AND OLD.status = 'enrolled' AND NEW.status = 'enrolled' AND NEW.cohort_id = OLD.cohort_id
BEGIN
  UPDATE learning SET taken_back = 1 WHERE enrollment_id = NEW.id
    AND done >= (SELECT count(*) FROM cohorts c JOIN lessons l ON l.owner_id = c.owner_id AND l.course_id = c.course_id
      WHERE c.id = NEW.cohort_id AND l.published_at IS NOT NULL AND l.deleted_at IS NULL);
END;

CREATE TRIGGER `enrollments_unlink_on_delete` AFTER DELETE ON `enrollments`
WHEN NOT EXISTS (SELECT 1 FROM enrollments WHERE person_id = OLD.person_id)
BEGIN
  UPDATE people SET unlinked_at = CAST(unixepoch('subsec') * 1000 AS INTEGER) WHERE id = OLD.person_id;
END;

CREATE TRIGGER `interests_due_on_leaving` AFTER DELETE ON `enrollments`
WHEN OLD.status IN ('enrolled', 'offered', 'waitlisted')
BEGIN
  INSERT INTO interests_due (course_id, owner_id, due_at)
    SELECT c.course_id, c.owner_id, 0 FROM cohorts c WHERE c.id = OLD.cohort_id
      AND EXISTS (SELECT 1 FROM course_interests i WHERE i.course_id = c.course_id AND i.confirmed_at IS NOT NULL)
    ON CONFLICT (course_id) DO UPDATE SET due_at = 0;
END;

CREATE TRIGGER `interests_due_on_place` AFTER UPDATE OF `status`, `cohort_id` ON `enrollments`
WHEN OLD.status IN ('enrolled', 'offered', 'waitlisted')
 AND (OLD.status <> NEW.status OR OLD.cohort_id <> NEW.cohort_id)
BEGIN
  INSERT INTO interests_due (course_id, owner_id, due_at)
    SELECT c.course_id, c.owner_id, 0 FROM cohorts c WHERE c.id = OLD.cohort_id
      AND EXISTS (SELECT 1 FROM course_interests i WHERE i.course_id = c.course_id AND i.confirmed_at IS NOT NULL)
    ON CONFLICT (course_id) DO UPDATE SET due_at = 0;
END;

CREATE TABLE `files` (
	`id` text PRIMARY KEY NOT NULL,
	`owner_id` text NOT NULL,
	`course_id` text NOT NULL,
	`key` text NOT NULL,
	`object_key` text NOT NULL,
	`name` text NOT NULL,
	`content_type` text NOT NULL,
	`size` integer NOT NULL,
	`width` integer,
	`height` integer,
	`upload_id` text,
	`parts` text,
	`uses` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`owner_id`,`course_id`) REFERENCES `courses`(`owner_id`,`id`) ON UPDATE no action ON DELETE cascade
);

CREATE UNIQUE INDEX `files_key_unique` ON `files` (`owner_id`,`course_id`,`key`);

CREATE INDEX `files_object_index` ON `files` (`object_key`);

CREATE UNIQUE INDEX `files_owner_id_id_unique` ON `files` (`owner_id`,`id`);

CREATE INDEX `files_owner_index` ON `files` (`owner_id`,`object_key`,`size`);

CREATE INDEX `files_unused_index` ON `files` (`created_at`) WHERE "files"."uses" = 0;

CREATE INDEX `files_upload_index` ON `files` (`created_at`) WHERE "files"."upload_id" IS NOT NULL;

CREATE TRIGGER files_delete AFTER DELETE ON files
WHEN NOT EXISTS (SELECT 1 FROM files f WHERE f.object_key = OLD.object_key)
BEGIN
  INSERT INTO objects_gone (object_key, upload_id, delete_at)
  VALUES (OLD.object_key, OLD.upload_id, 0) ON CONFLICT DO NOTHING;
END;

CREATE TABLE `group_messages` (
	`id` text PRIMARY KEY NOT NULL,
	`owner_id` text NOT NULL,
	`cohort_id` text NOT NULL,
	`subject` text,
	`text` text,
	`recipients` integer NOT NULL,
	`left_out` integer NOT NULL,
	`changes` integer,
	`idempotency_key` text,
	`created_at` integer NOT NULL, `created_by_user_id` text, `audience` text DEFAULT 'enrolled' NOT NULL,
	FOREIGN KEY (`owner_id`,`cohort_id`) REFERENCES `cohorts`(`owner_id`,`id`) ON UPDATE no action ON DELETE cascade
);

CREATE INDEX `group_messages_cohort_index` ON `group_messages` (`owner_id`,`cohort_id`,`created_at`);

CREATE UNIQUE INDEX `group_messages_owner_id_idempotency_key_unique` ON `group_messages` (`owner_id`,`idempotency_key`);

CREATE TABLE `interests_due` (
	`course_id` text PRIMARY KEY NOT NULL,
	`owner_id` text NOT NULL,
	`due_at` integer NOT NULL,
	FOREIGN KEY (`owner_id`,`course_id`) REFERENCES `courses`(`owner_id`,`id`) ON UPDATE no action ON DELETE cascade
);

CREATE INDEX `interests_due_due_at_index` ON `interests_due` (`due_at`);

CREATE INDEX `interests_due_owner_id_course_id_index` ON `interests_due` (`owner_id`,`course_id`);

CREATE TABLE "known_sign_ins" (
	`user_id` text NOT NULL,
	`origin` text NOT NULL,
	`expires_at` integer NOT NULL,
	PRIMARY KEY(`user_id`, `origin`),
	FOREIGN KEY (`user_id`) REFERENCES "users"(`id`) ON UPDATE no action ON DELETE cascade
);

CREATE INDEX `known_sign_ins_expires_at_index` ON `known_sign_ins` (`expires_at`);

CREATE VIEW `last_charges` AS SELECT x.* FROM live_entries x
  WHERE (x.kind = 'charge' OR x.kind = 'waiver' AND x.source = 'leaving') AND NOT EXISTS (SELECT 1 FROM ledger_entries y
    WHERE y.enrollment_id = x.enrollment_id AND y.cohort_id = x.cohort_id AND y.kind = 'charge'
      AND y.reverses_id IS NULL AND y.created_at > x.created_at);

CREATE TABLE `learner_codes` (
	`person_id` text PRIMARY KEY NOT NULL,
	`owner_id` text NOT NULL,
	`attempt_hash` text NOT NULL,
	`code_hash` text NOT NULL,
	`tries` integer DEFAULT 0 NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`owner_id`,`person_id`) REFERENCES `people`(`owner_id`,`id`) ON UPDATE no action ON DELETE cascade
);

CREATE INDEX `learner_codes_attempt_index` ON `learner_codes` (`attempt_hash`);

CREATE INDEX `learner_codes_expires_at_index` ON `learner_codes` (`expires_at`);

CREATE INDEX `learner_codes_person_index` ON `learner_codes` (`owner_id`,`person_id`);

CREATE TABLE `learning` (
	`enrollment_id` text PRIMARY KEY NOT NULL,
	`owner_id` text NOT NULL,
	`cohort_id` text NOT NULL,
	`started_at` integer NOT NULL,
	`last_seen_at` integer,
	`last_lesson_id` text,
	`done` integer DEFAULT 0 NOT NULL,
	`next_release_at` integer,
	`nudges` integer DEFAULT 0 NOT NULL,
	`nudge_due_at` integer, `announced_at` integer, `standing` text, `quiet_at` integer, `access_from` integer DEFAULT 0 NOT NULL, `taken_back` integer DEFAULT false NOT NULL,
	FOREIGN KEY (`last_lesson_id`) REFERENCES `lessons`(`id`) ON UPDATE no action ON DELETE set null,
	FOREIGN KEY (`owner_id`,`enrollment_id`) REFERENCES `enrollments`(`owner_id`,`id`) ON UPDATE no action ON DELETE cascade
);

CREATE INDEX `learning_cohort_index` ON `learning` (`cohort_id`,`last_seen_at`);

CREATE INDEX `learning_done_index` ON `learning` (`cohort_id`,`done`) WHERE "learning"."standing" <> 'completed';

CREATE INDEX `learning_enrollment_index` ON `learning` (`owner_id`,`enrollment_id`);

CREATE INDEX `learning_last_lesson_index` ON `learning` (`last_lesson_id`);

CREATE INDEX `learning_next_release_index` ON `learning` (`next_release_at`) WHERE "learning"."next_release_at" IS NOT NULL;

CREATE INDEX `learning_nudge_index` ON `learning` (`nudge_due_at`) WHERE "learning"."nudge_due_at" IS NOT NULL;

CREATE INDEX `learning_quiet_index` ON `learning` (`quiet_at`) WHERE "learning"."standing" = 'under_way';

CREATE INDEX `learning_standing_index` ON `learning` (`cohort_id`,`standing`,`quiet_at`);

CREATE TRIGGER `learning_begin` AFTER INSERT ON `learning`
BEGIN
  UPDATE learning SET next_release_at = 0 WHERE enrollment_id = NEW.enrollment_id
    AND EXISTS (SELECT 1 FROM cohorts c JOIN sections s ON s.owner_id = c.owner_id AND s.course_id = c.course_id
      WHERE c.id = NEW.cohort_id AND (s.release_days IS NOT NULL
        OR EXISTS (SELECT 1 FROM cohort_sections o WHERE o.cohort_id = c.id AND o.section_id = s.id)));
  UPDATE learning SET standing = 'under_way', quiet_at = NEW.started_at + 604800000,
      nudge_due_at = NEW.started_at + 604800000
    WHERE enrollment_id = NEW.enrollment_id
      AND (SELECT c.kind FROM cohorts c WHERE c.id = NEW.cohort_id) = 'open';
  INSERT INTO run_days (cohort_id, day, owner_id, started)
    SELECT c.id, NEW.started_at / 86400000, c.owner_id, 1 FROM cohorts c
      WHERE c.id = NEW.cohort_id AND c.kind = 'open'
    ON CONFLICT (cohort_id, day) DO UPDATE SET started = started + 1;
END;

CREATE TRIGGER `learning_complete_again` AFTER UPDATE OF `next_release_at` ON `learning`
WHEN NEW.standing <> 'completed' AND NEW.done > 0 AND OLD.next_release_at IS NOT NEW.next_release_at
  AND (NEW.next_release_at IS NULL OR NEW.next_release_at > 0)
BEGIN
  UPDATE cohorts SET completions_due = 1 WHERE id = NEW.cohort_id AND completions_due = 0;
END;

CREATE TRIGGER `learning_count_gone` AFTER DELETE ON `learning`
WHEN OLD.standing IS NOT NULL
BEGIN
  UPDATE run_counts SET people = people - 1
    WHERE cohort_id = OLD.cohort_id AND standing = OLD.standing;
END;

CREATE TRIGGER `learning_count_standing` AFTER UPDATE OF `standing`, `cohort_id` ON `learning`
WHEN OLD.standing IS NOT NEW.standing OR OLD.cohort_id <> NEW.cohort_id
BEGIN
  UPDATE run_counts SET people = people - 1
    WHERE cohort_id = OLD.cohort_id AND standing = OLD.standing;
  INSERT INTO run_counts (cohort_id, standing, owner_id, people)
    SELECT c.id, NEW.standing, c.owner_id, 1 FROM cohorts c
      WHERE c.id = NEW.cohort_id AND c.kind = 'open' AND NEW.standing IS NOT NULL
    ON CONFLICT (cohort_id, standing) DO UPDATE SET people = people + 1;
END;

CREATE TRIGGER `learning_go_on` AFTER UPDATE OF `last_seen_at` ON `learning`
WHEN NEW.standing <> 'completed' AND NEW.last_seen_at IS NOT NULL
BEGIN
  UPDATE learning SET standing = 'under_way', quiet_at = NEW.last_seen_at + 1209600000,
      nudge_due_at = NEW.last_seen_at + CASE NEW.nudges WHEN 0 THEN 604800000 WHEN 1 THEN 1814400000 END
    WHERE enrollment_id = NEW.enrollment_id;
END;

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
	`idempotency_key` text, `created_by_user_id` text, `method_word` text,
	FOREIGN KEY (`owner_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "ledger_entries_amount_check" CHECK("ledger_entries"."amount_minor" <> 0 AND ("ledger_entries"."amount_minor" > 0) =
        (("ledger_entries"."kind" IN ('charge', 'refund')) = ("ledger_entries"."reverses_id" IS NULL))),
	CONSTRAINT "ledger_entries_method_check" CHECK(("ledger_entries"."kind" IN ('payment', 'refund')) = ("ledger_entries"."method" IS NOT NULL)
        AND ("ledger_entries"."method" IS NULL) = ("ledger_entries"."received_on" IS NULL)),
	CONSTRAINT "ledger_entries_currency_check" CHECK("ledger_entries"."currency" GLOB '[A-Z][A-Z][A-Z]')
);

CREATE INDEX `ledger_entries_account_index` ON `ledger_entries` (`enrollment_id`,`cohort_id`);

CREATE INDEX `ledger_entries_cohort_index` ON `ledger_entries` (`owner_id`,`cohort_id`,`created_at`,`id`);

CREATE INDEX `ledger_entries_course_index` ON `ledger_entries` (`owner_id`,`course_id`,`created_at`,`id`);

CREATE UNIQUE INDEX `ledger_entries_idempotency_key_unique` ON `ledger_entries` (`owner_id`,`idempotency_key`,`enrollment_id`,`kind`) WHERE "ledger_entries"."idempotency_key" IS NOT NULL;

CREATE INDEX `ledger_entries_person_index` ON `ledger_entries` (`owner_id`,`person_id`);

CREATE UNIQUE INDEX `ledger_entries_reverses_id_unique` ON `ledger_entries` (`reverses_id`) WHERE "ledger_entries"."reverses_id" IS NOT NULL;

CREATE UNIQUE INDEX `ledger_entries_source_outside_id_unique` ON `ledger_entries` (`source`,`outside_id`) WHERE "ledger_entries"."outside_id" IS NOT NULL;

CREATE TRIGGER `ledger_entries_balance` AFTER INSERT ON `ledger_entries`
BEGIN
  INSERT INTO balances (enrollment_id, cohort_id, owner_id, person_id)
    VALUES (NEW.enrollment_id, NEW.cohort_id, NEW.owner_id, NEW.person_id) ON CONFLICT DO NOTHING;
  UPDATE balances SET is_stale = 1 WHERE enrollment_id = NEW.enrollment_id AND cohort_id = NEW.cohort_id;
END;

CREATE TRIGGER `ledger_entries_charge_once` BEFORE INSERT ON `ledger_entries`
WHEN NEW.kind = 'charge' AND NEW.reverses_id IS NULL
 AND EXISTS (SELECT 1 FROM last_charges x WHERE x.enrollment_id = NEW.enrollment_id AND x.kind = 'charge')
 AND NOT EXISTS (SELECT 1 FROM access_ends a WHERE a.enrollment_id = NEW.enrollment_id AND a.kind = 'open'
   AND a.ends_at <= NEW.created_at)
BEGIN
  SELECT RAISE(ABORT, 'charged_already');
END;

CREATE TRIGGER `ledger_entries_give_access` AFTER INSERT ON `ledger_entries`
WHEN NEW.kind = 'charge' AND NEW.reverses_id IS NULL
 -- Not if it only replaces another, because the price has changed.
 AND NOT EXISTS (SELECT 1 FROM ledger_entries x WHERE x.enrollment_id = NEW.enrollment_id
   AND x.kind = 'charge' AND x.reverses_id IS NOT NULL AND x.created_at = NEW.created_at)
BEGIN
  UPDATE learning SET access_from = NEW.created_at
    WHERE enrollment_id = NEW.enrollment_id AND cohort_id = NEW.cohort_id AND access_from < NEW.created_at;
END;

CREATE TRIGGER `ledger_entries_keep_word` BEFORE UPDATE OF `method_word` ON `ledger_entries`
WHEN NEW.method_word IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'ledger_append_only');
END;

CREATE TRIGGER `ledger_entries_look_at_page` AFTER INSERT ON `ledger_entries`
BEGIN
  UPDATE checkouts SET check_at = min(check_at, NEW.created_at)
    WHERE enrollment_id = NEW.enrollment_id AND status = 'open';
END;

CREATE TRIGGER `ledger_entries_never_change` BEFORE UPDATE OF `id`, `owner_id`, `course_id`, `course_name`, `cohort_id`,
  `cohort_name`, `person_id`, `enrollment_id`, `kind`, `amount_minor`, `currency`, `method`, `received_on`, `reverses_id`,
  `source`, `outside_id`, `created_by`, `created_at`, `idempotency_key`, `created_by_user_id` ON `ledger_entries`
BEGIN
  SELECT RAISE(ABORT, 'ledger_append_only');
END;

CREATE TRIGGER `ledger_entries_news` AFTER INSERT ON `ledger_entries`
WHEN NEW.source = 'stripe' AND NEW.kind IN ('payment', 'refund') AND NEW.reverses_id IS NULL
BEGIN
  INSERT INTO news_due (owner_id, since, due_at) VALUES (NEW.owner_id, NEW.created_at, 0) ON CONFLICT DO NOTHING;
END;

CREATE TRIGGER `ledger_entries_one_currency` BEFORE INSERT ON `ledger_entries`
WHEN (SELECT x.currency FROM ledger_entries x WHERE x.owner_id = NEW.owner_id AND x.cohort_id = NEW.cohort_id ORDER BY x.created_at LIMIT 1) <> NEW.currency
BEGIN
  SELECT RAISE(ABORT, 'currency_in_use');
END;

CREATE TRIGGER `ledger_entries_reverse_another` BEFORE INSERT ON `ledger_entries`
WHEN NEW.reverses_id IS NOT NULL
 AND NOT EXISTS (SELECT 1 FROM ledger_entries x WHERE x.id = NEW.reverses_id AND x.reverses_id IS NULL
   AND x.owner_id = NEW.owner_id AND x.cohort_id = NEW.cohort_id AND x.enrollment_id = NEW.enrollment_id
   AND x.kind = NEW.kind AND x.currency = NEW.currency AND x.amount_minor = -NEW.amount_minor)
BEGIN
  SELECT RAISE(ABORT, 'reverses_nothing');
END;

CREATE TRIGGER `ledger_entries_stay` BEFORE DELETE ON `ledger_entries`
WHEN EXISTS (SELECT 1 FROM users WHERE id = OLD.owner_id)
BEGIN
  SELECT RAISE(ABORT, 'ledger_append_only');
END;

CREATE TABLE `ledger_notes` (
	`entry_id` text PRIMARY KEY NOT NULL,
	`owner_id` text NOT NULL,
	`text` text NOT NULL,
	FOREIGN KEY (`entry_id`) REFERENCES `ledger_entries`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`owner_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);

CREATE INDEX `ledger_notes_owner_id_index` ON `ledger_notes` (`owner_id`);

CREATE TRIGGER `ledger_notes_never_change` BEFORE UPDATE ON `ledger_notes`
BEGIN
  SELECT RAISE(ABORT, 'ledger_append_only');
END;

CREATE TRIGGER `ledger_notes_stay` BEFORE DELETE ON `ledger_notes`
WHEN EXISTS (SELECT 1 FROM ledger_entries x JOIN users u ON u.id = x.owner_id JOIN people p ON p.id = x.person_id
   WHERE x.id = OLD.entry_id AND p.erased_at IS NULL)
BEGIN
  SELECT RAISE(ABORT, 'ledger_append_only');
END;

CREATE TABLE `lesson_counts` (
	`cohort_id` text NOT NULL,
	`lesson_id` text NOT NULL,
	`owner_id` text NOT NULL,
	`opened` integer NOT NULL,
	`done` integer NOT NULL,
	PRIMARY KEY(`cohort_id`, `lesson_id`),
	FOREIGN KEY (`owner_id`,`cohort_id`) REFERENCES `cohorts`(`owner_id`,`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`owner_id`,`lesson_id`) REFERENCES `lessons`(`owner_id`,`id`) ON UPDATE no action ON DELETE cascade
);

CREATE INDEX `lesson_counts_cohort_index` ON `lesson_counts` (`owner_id`,`cohort_id`);

CREATE INDEX `lesson_counts_lesson_index` ON `lesson_counts` (`owner_id`,`lesson_id`);

CREATE TABLE `lesson_files` (
	`lesson_id` text NOT NULL,
	`file_id` text NOT NULL,
	`owner_id` text NOT NULL,
	PRIMARY KEY(`lesson_id`, `file_id`),
	FOREIGN KEY (`owner_id`,`lesson_id`) REFERENCES `lessons`(`owner_id`,`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`owner_id`,`file_id`) REFERENCES `files`(`owner_id`,`id`) ON UPDATE no action ON DELETE cascade
);

CREATE INDEX `lesson_files_file_index` ON `lesson_files` (`owner_id`,`file_id`);

CREATE INDEX `lesson_files_lesson_index` ON `lesson_files` (`owner_id`,`lesson_id`);

CREATE TRIGGER lesson_files_delete AFTER DELETE ON lesson_files
BEGIN
  UPDATE files SET uses = uses - 1 WHERE id = OLD.file_id;
END;

CREATE TRIGGER lesson_files_insert AFTER INSERT ON lesson_files
BEGIN
  UPDATE files SET uses = uses + 1 WHERE id = NEW.file_id;
END;

CREATE TABLE `lesson_marks` (
	`enrollment_id` text NOT NULL,
	`lesson_id` text NOT NULL,
	`owner_id` text NOT NULL,
	`cohort_id` text NOT NULL,
	`opened_at` integer NOT NULL,
	`done_at` integer,
	PRIMARY KEY(`enrollment_id`, `lesson_id`),
	FOREIGN KEY (`owner_id`,`enrollment_id`) REFERENCES `enrollments`(`owner_id`,`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`owner_id`,`lesson_id`) REFERENCES `lessons`(`owner_id`,`id`) ON UPDATE no action ON DELETE cascade
);

CREATE INDEX `lesson_marks_enrollment_index` ON `lesson_marks` (`owner_id`,`enrollment_id`);

CREATE INDEX `lesson_marks_lesson_index` ON `lesson_marks` (`owner_id`,`lesson_id`);

CREATE TRIGGER `lesson_marks_count_on_delete` AFTER DELETE ON `lesson_marks`
BEGIN
  UPDATE lesson_counts SET opened = opened - 1, done = done - (OLD.done_at IS NOT NULL)
    WHERE cohort_id = OLD.cohort_id AND lesson_id = OLD.lesson_id;
  UPDATE learning SET done = done - 1 WHERE enrollment_id = OLD.enrollment_id AND OLD.done_at IS NOT NULL
    AND EXISTS (SELECT 1 FROM lessons l JOIN cohorts c ON c.id = OLD.cohort_id AND c.course_id = l.course_id
      WHERE l.id = OLD.lesson_id AND l.published_at IS NOT NULL AND l.deleted_at IS NULL);
END;

CREATE TRIGGER `lesson_marks_count_on_done` AFTER UPDATE OF `done_at` ON `lesson_marks`
WHEN (OLD.done_at IS NULL) <> (NEW.done_at IS NULL)
BEGIN
  UPDATE lesson_counts SET done = done + CASE WHEN NEW.done_at IS NULL THEN -1 ELSE 1 END
    WHERE cohort_id = NEW.cohort_id AND lesson_id = NEW.lesson_id;
  UPDATE learning SET done = done + CASE WHEN NEW.done_at IS NULL THEN -1 ELSE 1 END
    WHERE enrollment_id = NEW.enrollment_id
    AND EXISTS (SELECT 1 FROM lessons l JOIN cohorts c ON c.id = NEW.cohort_id AND c.course_id = l.course_id
      WHERE l.id = NEW.lesson_id AND l.published_at IS NOT NULL AND l.deleted_at IS NULL);
END;

CREATE TRIGGER `lesson_marks_count_on_insert` AFTER INSERT ON `lesson_marks`
BEGIN
  INSERT INTO lesson_counts (cohort_id, lesson_id, owner_id, opened, done)
    VALUES (NEW.cohort_id, NEW.lesson_id, NEW.owner_id, 1, NEW.done_at IS NOT NULL)
    ON CONFLICT (cohort_id, lesson_id) DO UPDATE SET opened = opened + 1, done = done + excluded.done;
  UPDATE learning SET done = done + 1 WHERE enrollment_id = NEW.enrollment_id AND NEW.done_at IS NOT NULL
    AND EXISTS (SELECT 1 FROM lessons l JOIN cohorts c ON c.id = NEW.cohort_id AND c.course_id = l.course_id
      WHERE l.id = NEW.lesson_id AND l.published_at IS NOT NULL AND l.deleted_at IS NULL);
END;

CREATE TRIGGER `lesson_marks_count_on_move` AFTER UPDATE OF `cohort_id` ON `lesson_marks`
WHEN OLD.cohort_id <> NEW.cohort_id
BEGIN
  UPDATE lesson_counts SET opened = opened - 1, done = done - (OLD.done_at IS NOT NULL)
    WHERE cohort_id = OLD.cohort_id AND lesson_id = OLD.lesson_id;
  INSERT INTO lesson_counts (cohort_id, lesson_id, owner_id, opened, done)
    VALUES (NEW.cohort_id, NEW.lesson_id, NEW.owner_id, 1, NEW.done_at IS NOT NULL)
    ON CONFLICT (cohort_id, lesson_id) DO UPDATE SET opened = opened + 1, done = done + excluded.done;
END;

CREATE TABLE `lesson_versions` (
	`id` integer PRIMARY KEY NOT NULL,
	`owner_id` text NOT NULL,
	`lesson_id` text NOT NULL,
	`at` integer NOT NULL,
	`reason` text NOT NULL,
	`title` text NOT NULL,
	`document` text NOT NULL,
	`words` integer NOT NULL,
	FOREIGN KEY (`owner_id`,`lesson_id`) REFERENCES `lessons`(`owner_id`,`id`) ON UPDATE no action ON DELETE cascade
);

CREATE INDEX `lesson_versions_lesson_index` ON `lesson_versions` (`owner_id`,`lesson_id`,`at`);

CREATE TRIGGER lesson_versions_files_insert AFTER INSERT ON lesson_versions
WHEN instr(NEW.document, '"file":"') > 0
BEGIN
  INSERT INTO lesson_files (lesson_id, file_id, owner_id)
  SELECT NEW.lesson_id, f.id, NEW.owner_id FROM lessons l, json_tree(NEW.document) j
    JOIN files f ON f.owner_id = NEW.owner_id AND f.course_id = l.course_id AND f.key = j.value
  WHERE l.id = NEW.lesson_id AND j.key = 'file' AND j.type = 'text'
  ON CONFLICT DO NOTHING;
END;

CREATE TABLE `lessons` (
	`id` text PRIMARY KEY NOT NULL,
	`owner_id` text NOT NULL,
	`course_id` text NOT NULL,
	`section_id` text NOT NULL,
	`position` integer NOT NULL,
	`minutes` integer,
	`title` text NOT NULL,
	`words` integer NOT NULL,
	`draft_version` integer DEFAULT 0 NOT NULL,
	`draft_at` integer NOT NULL,
	`published_title` text,
	`published_words` integer,
	`published_version` integer,
	`published_at` integer,
	`deleted_at` integer,
	`idempotency_key` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`html` text,
	`document` text NOT NULL, `link_key` text,
	FOREIGN KEY (`owner_id`,`section_id`) REFERENCES `sections`(`owner_id`,`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`owner_id`,`course_id`) REFERENCES `courses`(`owner_id`,`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "lessons_published_check" CHECK(("lessons"."published_at" IS NULL) = ("lessons"."html" IS NULL)
        AND ("lessons"."published_at" IS NULL) = ("lessons"."published_title" IS NULL)),
	CONSTRAINT "lessons_minutes_check" CHECK("lessons"."minutes" BETWEEN 1 AND 600)
);

CREATE INDEX `lessons_course_index` ON `lessons` (`owner_id`,`course_id`);

CREATE INDEX `lessons_deleted_at_index` ON `lessons` (`deleted_at`) WHERE "lessons"."deleted_at" IS NOT NULL;

CREATE INDEX `lessons_link_key_index` ON `lessons` (`owner_id`,`course_id`,`link_key`,`id`) WHERE "lessons"."link_key" IS NOT NULL;

CREATE UNIQUE INDEX `lessons_owner_id_id_unique` ON `lessons` (`owner_id`,`id`);

CREATE UNIQUE INDEX `lessons_owner_id_idempotency_key_unique` ON `lessons` (`owner_id`,`idempotency_key`);

CREATE INDEX `lessons_published_index` ON `lessons` (`owner_id`,`course_id`) WHERE "lessons"."published_at" IS NOT NULL AND "lessons"."deleted_at" IS NULL;

CREATE INDEX `lessons_section_index` ON `lessons` (`owner_id`,`section_id`,`position`,`id`);

CREATE TRIGGER `lessons_complete_again` AFTER UPDATE OF `published_at`, `deleted_at`, `section_id` ON `lessons`
WHEN (OLD.published_at IS NOT NULL AND OLD.deleted_at IS NULL) <> (NEW.published_at IS NOT NULL AND NEW.deleted_at IS NULL)
  OR NEW.published_at IS NOT NULL AND NEW.section_id <> OLD.section_id
BEGIN
  UPDATE cohorts SET completions_due = 1
    WHERE owner_id = NEW.owner_id AND course_id = NEW.course_id AND kind = 'open';
END;

CREATE TRIGGER `lessons_count_done` AFTER UPDATE OF `published_at`, `deleted_at` ON `lessons`
WHEN (OLD.published_at IS NOT NULL AND OLD.deleted_at IS NULL) <> (NEW.published_at IS NOT NULL AND NEW.deleted_at IS NULL)
BEGIN
  UPDATE learning SET done = done + CASE WHEN NEW.published_at IS NOT NULL AND NEW.deleted_at IS NULL THEN 1 ELSE -1 END
    WHERE enrollment_id IN (SELECT m.enrollment_id FROM lesson_marks m
      JOIN cohorts c ON c.id = m.cohort_id AND c.course_id = NEW.course_id
      WHERE m.owner_id = NEW.owner_id AND m.lesson_id = NEW.id AND m.done_at IS NOT NULL);
END;

CREATE TRIGGER `lessons_count_done_on_delete` BEFORE DELETE ON `lessons`
WHEN OLD.published_at IS NOT NULL AND OLD.deleted_at IS NULL
BEGIN
  UPDATE learning SET done = done - 1
    WHERE enrollment_id IN (SELECT m.enrollment_id FROM lesson_marks m
      JOIN cohorts c ON c.id = m.cohort_id AND c.course_id = OLD.course_id
      WHERE m.owner_id = OLD.owner_id AND m.lesson_id = OLD.id AND m.done_at IS NOT NULL);
END;

CREATE TRIGGER lessons_files_insert AFTER INSERT ON lessons
WHEN instr(NEW.document, '"file":"') > 0
BEGIN
  INSERT INTO lesson_files (lesson_id, file_id, owner_id)
  SELECT NEW.id, f.id, NEW.owner_id FROM json_tree(NEW.document) j
    JOIN files f ON f.owner_id = NEW.owner_id AND f.course_id = NEW.course_id AND f.key = j.value
  WHERE j.key = 'file' AND j.type = 'text'
  ON CONFLICT DO NOTHING;
END;

CREATE TRIGGER lessons_files_update AFTER UPDATE OF document ON lessons
WHEN instr(NEW.document, '"file":"') > 0
BEGIN
  INSERT INTO lesson_files (lesson_id, file_id, owner_id)
  SELECT NEW.id, f.id, NEW.owner_id FROM json_tree(NEW.document) j
    JOIN files f ON f.owner_id = NEW.owner_id AND f.course_id = NEW.course_id AND f.key = j.value
  WHERE j.key = 'file' AND j.type = 'text'
  ON CONFLICT DO NOTHING;
END;

CREATE TRIGGER `lessons_release_again` AFTER UPDATE OF `published_at`, `deleted_at`, `section_id` ON `lessons`
WHEN NEW.published_at IS NOT NULL AND NEW.deleted_at IS NULL
  AND (OLD.published_at IS NULL OR OLD.deleted_at IS NOT NULL OR OLD.section_id <> NEW.section_id)
  AND NOT EXISTS (SELECT 1 FROM lessons l WHERE l.owner_id = NEW.owner_id AND l.section_id = NEW.section_id
    AND l.id <> NEW.id AND l.published_at IS NOT NULL AND l.deleted_at IS NULL)
BEGIN
  UPDATE learning SET next_release_at = -coalesce(abs(next_release_at), 0)
    WHERE cohort_id IN (SELECT c.id FROM sections s
        JOIN cohorts c ON c.owner_id = s.owner_id AND c.course_id = s.course_id
      WHERE s.id = NEW.section_id AND (s.release_days IS NOT NULL OR EXISTS (SELECT 1 FROM cohort_sections o
        WHERE o.cohort_id = c.id AND o.section_id = s.id)));
END;

CREATE TABLE "links" (
	`id` text PRIMARY KEY NOT NULL,
	`token_hash` text NOT NULL,
	`user_id` text NOT NULL,
	`purpose` text NOT NULL,
	`subject` text DEFAULT '' NOT NULL,
	`email_canonical` text NOT NULL,
	`new_email` text,
	`session_id` text,
	`stop_token_hash` text,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL, `attempt_hash` text, `code_hash` text, `code_tries` integer DEFAULT 0 NOT NULL, `browser` text,
	FOREIGN KEY (`user_id`) REFERENCES "users"(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`session_id`) REFERENCES "sessions"(`id`) ON UPDATE no action ON DELETE cascade
);

CREATE UNIQUE INDEX `links_attempt_hash_unique` ON `links` (`attempt_hash`);

CREATE INDEX `links_expires_at_index` ON `links` (`expires_at`);

CREATE INDEX `links_session_id_index` ON `links` (`session_id`);

CREATE UNIQUE INDEX `links_stop_token_hash_unique` ON `links` (`stop_token_hash`);

CREATE UNIQUE INDEX `links_token_hash_unique` ON `links` (`token_hash`);

CREATE UNIQUE INDEX `links_user_id_purpose_subject_unique` ON `links` (`user_id`,`purpose`,`subject`);

CREATE UNIQUE INDEX `links_user_id_purpose_unique` ON `links` (`user_id`,`purpose`);

CREATE VIEW `live_entries` AS SELECT x.rowid AS entry_no, x.* FROM ledger_entries x
  WHERE x.reverses_id IS NULL AND NOT EXISTS (SELECT 1 FROM ledger_entries r WHERE r.reverses_id = x.id);

CREATE TABLE `mail_texts` (
	`id` text PRIMARY KEY NOT NULL,
	`owner_id` text,
	`facts` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`owner_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE set null
);

CREATE INDEX `mail_texts_created_at_index` ON `mail_texts` (`created_at`);

CREATE INDEX `mail_texts_owner_id_index` ON `mail_texts` (`owner_id`);

CREATE TABLE `mails_due` (
	`id` text PRIMARY KEY NOT NULL,
	`dedupe_key` text NOT NULL,
	`owner_id` text,
	`enrollment_id` text,
	`to_address` text NOT NULL,
	`to_canonical` text NOT NULL,
	`kind` text NOT NULL,
	`payload` text NOT NULL,
	`due_at` integer NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`sent_at` integer,
	`failed_at` integer,
	`failure` text,
	`provider_id` text,
	`complained_at` integer, `cohort_id` text REFERENCES cohorts(id) ON DELETE SET NULL, `bounced_at` integer, `batch_key` text, `text_id` text, `is_to_stranger` integer DEFAULT false NOT NULL,
	FOREIGN KEY (`owner_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE set null,
	FOREIGN KEY (`enrollment_id`) REFERENCES `enrollments`(`id`) ON UPDATE no action ON DELETE set null
);

CREATE INDEX `mails_due_cohort_id_kind_index` ON `mails_due` (`cohort_id`,`kind`);

CREATE INDEX `mails_due_complaints_index` ON `mails_due` (`owner_id`,`to_canonical`) WHERE "mails_due"."complained_at" IS NOT NULL;

CREATE UNIQUE INDEX `mails_due_dedupe_key_unique` ON `mails_due` (`dedupe_key`);

CREATE INDEX `mails_due_done_index` ON `mails_due` (("payload" = ''),`due_at`) WHERE "mails_due"."sent_at" IS NOT NULL OR "mails_due"."failed_at" IS NOT NULL;

CREATE INDEX `mails_due_due_at_index` ON `mails_due` (`due_at`) WHERE "mails_due"."sent_at" IS NULL AND "mails_due"."failed_at" IS NULL;

CREATE INDEX `mails_due_enrollment_id_kind_index` ON `mails_due` (`enrollment_id`,`kind`);

CREATE INDEX `mails_due_owner_id_kind_due_at_index` ON `mails_due` (`owner_id`,`kind`,`due_at`);

CREATE INDEX `mails_due_owner_id_sent_at_index` ON `mails_due` (`owner_id`,`sent_at`,`kind`,`complained_at`,`is_to_stranger`) WHERE "mails_due"."sent_at" IS NOT NULL;

CREATE INDEX `mails_due_provider_id_index` ON `mails_due` (`provider_id`) WHERE "mails_due"."provider_id" IS NOT NULL;

CREATE INDEX `mails_due_returned_index` ON `mails_due` (`cohort_id`,`due_at`) WHERE "mails_due"."failure" <> 'not_needed' OR "mails_due"."bounced_at" IS NOT NULL OR "mails_due"."complained_at" IS NOT NULL;

CREATE INDEX `mails_due_text_id_index` ON `mails_due` (`text_id`) WHERE "mails_due"."text_id" IS NOT NULL;

CREATE INDEX `mails_due_to_canonical_index` ON `mails_due` (`to_canonical`);

CREATE TABLE `meetings` (
	`id` text PRIMARY KEY NOT NULL,
	`owner_id` text NOT NULL,
	`cohort_id` text NOT NULL,
	`title` text NOT NULL,
	`starts_local` text NOT NULL,
	`duration_minutes` integer NOT NULL,
	`starts_at` integer NOT NULL,
	`place` text,
	`join_url` text,
	`note` text,
	`sequence` integer DEFAULT 0 NOT NULL,
	`cancelled_at` integer,
	`announced` text,
	`idempotency_key` text,
	`idempotency_no` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL, `reminded_day_for` integer, `reminded_hour_for` integer, `public_line` text,
	FOREIGN KEY (`owner_id`,`cohort_id`) REFERENCES `cohorts`(`owner_id`,`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "meetings_duration_check" CHECK("meetings"."duration_minutes" BETWEEN 5 AND 1440),
	CONSTRAINT "meetings_sequence_check" CHECK("meetings"."sequence" >= 0)
);

CREATE INDEX `meetings_cancelled_at_index` ON `meetings` (`cancelled_at`) WHERE "meetings"."cancelled_at" IS NOT NULL;

CREATE INDEX `meetings_cohort_index` ON `meetings` (`cohort_id`,`starts_at`,`id`,`cancelled_at`);

CREATE INDEX `meetings_day_reminder_index` ON `meetings` (`starts_at`) WHERE "meetings"."cancelled_at" IS NULL AND "meetings"."reminded_day_for" IS NOT "meetings"."starts_at";

CREATE INDEX `meetings_hour_reminder_index` ON `meetings` (`starts_at`) WHERE "meetings"."cancelled_at" IS NULL AND "meetings"."reminded_hour_for" IS NOT "meetings"."starts_at";

CREATE UNIQUE INDEX `meetings_owner_id_id_unique` ON `meetings` (`owner_id`,`id`);

CREATE UNIQUE INDEX `meetings_owner_id_idempotency_key_unique` ON `meetings` (`owner_id`,`idempotency_key`,`idempotency_no`);

CREATE INDEX `meetings_owner_id_starts_at_index` ON `meetings` (`owner_id`,`starts_at`);

CREATE INDEX `meetings_starts_at_id_index` ON `meetings` (`starts_at`,`id`) WHERE "meetings"."cancelled_at" IS NULL;

CREATE TRIGGER `meetings_release_again` AFTER UPDATE OF `starts_at`, `duration_minutes`, `cancelled_at` ON `meetings`
WHEN EXISTS (SELECT 1 FROM cohort_sections o WHERE o.meeting_id = NEW.id)
BEGIN
  UPDATE learning SET next_release_at = -coalesce(abs(next_release_at), 0) WHERE cohort_id = NEW.cohort_id;
END;

CREATE TRIGGER `new_entries_insert` INSTEAD OF INSERT ON `new_entries`
BEGIN
  INSERT INTO ledger_entries (id, owner_id, course_id, course_name, cohort_id, cohort_name, person_id, enrollment_id,
      kind, amount_minor, currency, method, method_word, received_on, reverses_id, source, created_by, created_at,
      created_by_user_id)
    SELECT lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2) || '-8'
        || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6))), e.owner_id, c.course_id, k.name, c.id, c.name,
      e.person_id, e.id, NEW.kind, NEW.amount_minor, NEW.currency, NEW.method, NEW.method_word, NEW.received_on,
      NEW.reverses_id, NEW.source, e.changed_by, e.status_changed_at,
      CASE e.changed_by WHEN 'owner' THEN e.changed_by_user_id END
    FROM enrollments e JOIN cohorts c ON c.id = NEW.cohort_id JOIN courses k ON k.id = c.course_id
    WHERE e.id = NEW.enrollment_id;
END;

CREATE VIEW `new_entries` AS SELECT enrollment_id, cohort_id, kind, amount_minor, currency, method, method_word,
  received_on, reverses_id, source FROM ledger_entries;

CREATE TABLE `news_due` (
	`owner_id` text PRIMARY KEY NOT NULL,
	`since` integer NOT NULL,
	`due_at` integer NOT NULL,
	FOREIGN KEY (`owner_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);

CREATE INDEX `news_due_due_at_index` ON `news_due` (`due_at`);

CREATE TABLE `objects_gone` (
	`object_key` text PRIMARY KEY NOT NULL,
	`upload_id` text,
	`delete_at` integer NOT NULL
);

CREATE INDEX `objects_gone_delete_at_index` ON `objects_gone` (`delete_at`);

CREATE VIEW `payers` AS SELECT owner_id, person_id, enrollment_id FROM ledger_entries
  UNION ALL SELECT owner_id, person_id, enrollment_id FROM checkouts WHERE status <> 'expired';

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

CREATE INDEX `payment_accounts_listed_at_index` ON `payment_accounts` (`listed_at`);

CREATE UNIQUE INDEX `payment_accounts_stripe_account_unique` ON `payment_accounts` (`stripe_account`);

CREATE TABLE `people` (
	`id` text PRIMARY KEY NOT NULL,
	`owner_id` text NOT NULL,
	`email` text NOT NULL,
	`email_canonical` text NOT NULL,
	`name` text NOT NULL,
	`name_key` text NOT NULL,
	`language` text NOT NULL,
	`note` text,
	`source` text NOT NULL,
	`consented_at` integer,
	`consent_version` integer,
	`link_version` integer NOT NULL,
	`unlinked_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL, `no_invitations_at` integer, `no_reminders_at` integer, `erased_at` integer, `erased_no` integer, `corrected_at` integer, `agreed_at` integer,
	FOREIGN KEY (`owner_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);

CREATE UNIQUE INDEX `people_erased_no_unique` ON `people` (`owner_id`,`erased_no`) WHERE "people"."erased_no" IS NOT NULL;

CREATE UNIQUE INDEX `people_owner_id_email_canonical_unique` ON `people` (`owner_id`,`email_canonical`);

CREATE UNIQUE INDEX `people_owner_id_id_unique` ON `people` (`owner_id`,`id`);

CREATE INDEX `people_unlinked_at_index` ON `people` (`unlinked_at`) WHERE "people"."unlinked_at" IS NOT NULL;

CREATE TRIGGER `people_balance` AFTER UPDATE OF `name_key`, `agreed_at`, `corrected_at` ON `people`
BEGIN
  UPDATE balances SET is_stale = 1 WHERE owner_id = NEW.owner_id AND person_id = NEW.id;
END;

CREATE TRIGGER `people_stay_by_money` BEFORE DELETE ON `people`
WHEN EXISTS (SELECT 1 FROM payers x WHERE x.owner_id = OLD.owner_id AND x.person_id = OLD.id)
 AND EXISTS (SELECT 1 FROM users WHERE id = OLD.owner_id)
BEGIN
  SELECT RAISE(ABORT, 'person_has_entries');
END;

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

CREATE INDEX `refunds_wanted_checkout_id_index` ON `refunds_wanted` (`checkout_id`);

CREATE INDEX `refunds_wanted_due_at_index` ON `refunds_wanted` (`due_at`) WHERE "refunds_wanted"."done_at" IS NULL AND "refunds_wanted"."failed_at" IS NULL;

CREATE INDEX `refunds_wanted_owner_id_index` ON `refunds_wanted` (`owner_id`);

CREATE TABLE `run_counts` (
	`cohort_id` text NOT NULL,
	`standing` text NOT NULL,
	`owner_id` text NOT NULL,
	`people` integer NOT NULL,
	PRIMARY KEY(`cohort_id`, `standing`),
	FOREIGN KEY (`owner_id`,`cohort_id`) REFERENCES `cohorts`(`owner_id`,`id`) ON UPDATE no action ON DELETE cascade
);

CREATE INDEX `run_counts_cohort_index` ON `run_counts` (`owner_id`,`cohort_id`);

CREATE TABLE `run_days` (
	`cohort_id` text NOT NULL,
	`day` integer NOT NULL,
	`owner_id` text NOT NULL,
	`started` integer DEFAULT 0 NOT NULL,
	`completed` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`cohort_id`, `day`),
	FOREIGN KEY (`owner_id`,`cohort_id`) REFERENCES `cohorts`(`owner_id`,`id`) ON UPDATE no action ON DELETE cascade
);

CREATE INDEX `run_days_cohort_index` ON `run_days` (`owner_id`,`cohort_id`);

CREATE TABLE `run_statuses` (
	`cohort_id` text NOT NULL,
	`status` text NOT NULL,
	`owner_id` text NOT NULL,
	`people` integer NOT NULL,
	PRIMARY KEY(`cohort_id`, `status`),
	FOREIGN KEY (`owner_id`,`cohort_id`) REFERENCES `cohorts`(`owner_id`,`id`) ON UPDATE no action ON DELETE cascade
);

CREATE INDEX `run_statuses_cohort_index` ON `run_statuses` (`owner_id`,`cohort_id`);

CREATE TABLE `sections` (
	`id` text PRIMARY KEY NOT NULL,
	`owner_id` text NOT NULL,
	`course_id` text NOT NULL,
	`title` text,
	`position` integer NOT NULL,
	`release_days` integer,
	`idempotency_key` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`owner_id`,`course_id`) REFERENCES `courses`(`owner_id`,`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "sections_release_days_check" CHECK("sections"."release_days" BETWEEN 0 AND 730)
);

CREATE INDEX `sections_outline_index` ON `sections` (`owner_id`,`course_id`,`position`,`id`);

CREATE UNIQUE INDEX `sections_owner_id_id_unique` ON `sections` (`owner_id`,`id`);

CREATE UNIQUE INDEX `sections_owner_id_idempotency_key_unique` ON `sections` (`owner_id`,`idempotency_key`);

CREATE TRIGGER `sections_release_again` AFTER UPDATE OF `release_days` ON `sections`
WHEN OLD.release_days IS NOT NEW.release_days
BEGIN
  UPDATE learning SET next_release_at = -coalesce(abs(next_release_at), 0)
    WHERE cohort_id IN (SELECT id FROM cohorts WHERE owner_id = NEW.owner_id AND course_id = NEW.course_id);
END;

CREATE TABLE "sessions" (
	`id` text PRIMARY KEY NOT NULL,
	`token_hash` text NOT NULL,
	`user_id` text NOT NULL,
	`user_agent` text NOT NULL,
	`created_at` integer NOT NULL,
	`last_seen_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES "users"(`id`) ON UPDATE no action ON DELETE cascade
);

CREATE INDEX `sessions_created_at_index` ON `sessions` (`created_at`);

CREATE INDEX `sessions_last_seen_at_index` ON `sessions` (`last_seen_at`);

CREATE UNIQUE INDEX `sessions_token_hash_unique` ON `sessions` (`token_hash`);

CREATE INDEX `sessions_user_id_index` ON `sessions` (`user_id`);

CREATE TABLE "undeliverable_addresses" (
	`email_canonical` text PRIMARY KEY NOT NULL,
	`reason` text NOT NULL,
	`since` integer NOT NULL
);

CREATE VIEW `used_currencies` AS SELECT c.id AS cohort_id, coalesce(
    (SELECT x.currency FROM ledger_entries x WHERE x.owner_id = c.owner_id AND x.cohort_id = c.id
      ORDER BY x.created_at LIMIT 1),
    (SELECT o.currency FROM checkouts o
      WHERE o.cohort_id = c.id AND o.status IN ('open', 'confirming') LIMIT 1)) AS currency
  FROM cohorts c;

CREATE TABLE "users" (
	`id` text PRIMARY KEY NOT NULL,
	`first_name` text NOT NULL,
	`last_name` text NOT NULL,
	`email` text NOT NULL,
	`email_canonical` text NOT NULL,
	`email_verified_at` integer,
	`language` text NOT NULL,
	`google_sub` text,
	`avatar_url` text,
	`selected_course_id` text,
	`created_at` integer NOT NULL, `roster_news` integer DEFAULT true NOT NULL, `bio` text,
	FOREIGN KEY (`id`,`selected_course_id`) REFERENCES "courses"(`owner_id`,`id`) ON UPDATE no action ON DELETE no action
);

CREATE UNIQUE INDEX `users_email_canonical_unique` ON `users` (`email_canonical`);

CREATE UNIQUE INDEX `users_google_sub_unique` ON `users` (`google_sub`);

CREATE TRIGGER users_photo_delete AFTER DELETE ON users
WHEN OLD.avatar_url LIKE '/pictures/%'
BEGIN
  INSERT INTO objects_gone (object_key, delete_at) VALUES (substr(OLD.avatar_url, 2), 0) ON CONFLICT DO NOTHING;
END;

CREATE TRIGGER users_photo_update AFTER UPDATE OF avatar_url ON users
WHEN OLD.avatar_url LIKE '/pictures/%' AND OLD.avatar_url IS NOT NEW.avatar_url
BEGIN
  INSERT INTO objects_gone (object_key, delete_at) VALUES (substr(OLD.avatar_url, 2), 0) ON CONFLICT DO NOTHING;
END;

CREATE TABLE "webhook_deliveries" (
	`provider` text DEFAULT 'resend' NOT NULL,
	`id` text NOT NULL,
	`expires_at` integer NOT NULL,
	PRIMARY KEY(`id`, `provider`)
);

CREATE INDEX `webhook_deliveries_expires_at_index` ON `webhook_deliveries` (`expires_at`);
