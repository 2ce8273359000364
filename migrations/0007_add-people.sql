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
	`complained_at` integer,
	FOREIGN KEY (`owner_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE set null,
	FOREIGN KEY (`enrollment_id`) REFERENCES `enrollments`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE UNIQUE INDEX `mails_due_dedupe_key_unique` ON `mails_due` (`dedupe_key`);--> statement-breakpoint
CREATE INDEX `mails_due_due_at_index` ON `mails_due` (`due_at`) WHERE "mails_due"."sent_at" IS NULL AND "mails_due"."failed_at" IS NULL;--> statement-breakpoint
CREATE INDEX `mails_due_enrollment_id_index` ON `mails_due` (`enrollment_id`);--> statement-breakpoint
CREATE INDEX `mails_due_owner_id_kind_due_at_index` ON `mails_due` (`owner_id`,`kind`,`due_at`);--> statement-breakpoint
CREATE INDEX `mails_due_to_canonical_sent_at_index` ON `mails_due` (`to_canonical`,`sent_at`);--> statement-breakpoint
CREATE INDEX `mails_due_provider_id_index` ON `mails_due` (`provider_id`) WHERE "mails_due"."provider_id" IS NOT NULL;--> statement-breakpoint
CREATE INDEX `mails_due_complaints_index` ON `mails_due` (`owner_id`,`to_canonical`) WHERE "mails_due"."complained_at" IS NOT NULL;--> statement-breakpoint
CREATE INDEX `mails_due_texts_index` ON `mails_due` (`due_at`) WHERE "mails_due"."payload" <> '';--> statement-breakpoint
CREATE INDEX `mails_due_emptied_index` ON `mails_due` (`due_at`) WHERE "mails_due"."payload" = '';--> statement-breakpoint
CREATE TABLE `enrollment_events` (
	`id` integer PRIMARY KEY NOT NULL,
	`owner_id` text NOT NULL,
	`enrollment_id` text NOT NULL,
	`at` integer NOT NULL,
	`actor` text NOT NULL,
	`from_status` text,
	`to_status` text NOT NULL,
	FOREIGN KEY (`owner_id`,`enrollment_id`) REFERENCES `enrollments`(`owner_id`,`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `enrollment_events_owner_id_enrollment_id_index` ON `enrollment_events` (`owner_id`,`enrollment_id`);--> statement-breakpoint
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
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`person_id`) REFERENCES `people`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`owner_id`,`cohort_id`) REFERENCES `cohorts`(`owner_id`,`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `enrollment_requests_owner_id_cohort_id_index` ON `enrollment_requests` (`owner_id`,`cohort_id`);--> statement-breakpoint
CREATE INDEX `enrollment_requests_person_id_index` ON `enrollment_requests` (`person_id`);--> statement-breakpoint
CREATE INDEX `enrollment_requests_expires_at_index` ON `enrollment_requests` (`expires_at`);--> statement-breakpoint
CREATE UNIQUE INDEX `enrollment_requests_cohort_id_email_canonical_unique` ON `enrollment_requests` (`cohort_id`,`email_canonical`);--> statement-breakpoint
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
	`created_at` integer NOT NULL,
	FOREIGN KEY (`owner_id`,`cohort_id`) REFERENCES `cohorts`(`owner_id`,`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`owner_id`,`person_id`) REFERENCES `people`(`owner_id`,`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "enrollments_queue_no_check" CHECK(("enrollments"."status" = 'waitlisted') = ("enrollments"."queue_no" IS NOT NULL)),
	CONSTRAINT "enrollments_expires_at_check" CHECK(("enrollments"."status" IN ('offered', 'invited')) = ("enrollments"."expires_at" IS NOT NULL)),
	CONSTRAINT "enrollments_over_capacity_check" CHECK("enrollments"."over_capacity" = 0 OR "enrollments"."status" IN ('enrolled', 'offered')),
	CONSTRAINT "enrollments_completed_at_check" CHECK("enrollments"."completed_at" IS NULL OR "enrollments"."status" = 'enrolled')
);
--> statement-breakpoint
CREATE INDEX `enrollments_places_index` ON `enrollments` (`cohort_id`,`status`,`queue_no`,`expires_at`);--> statement-breakpoint
CREATE INDEX `enrollments_roster_index` ON `enrollments` (`cohort_id`,`name_key`,`id`);--> statement-breakpoint
CREATE INDEX `enrollments_changed_index` ON `enrollments` (`cohort_id`,`status_changed_at`);--> statement-breakpoint
CREATE INDEX `enrollments_person_id_owner_id_index` ON `enrollments` (`person_id`,`owner_id`);--> statement-breakpoint
CREATE INDEX `enrollments_expires_at_index` ON `enrollments` (`expires_at`) WHERE "enrollments"."status" IN ('offered', 'invited');--> statement-breakpoint
CREATE UNIQUE INDEX `enrollments_cohort_id_person_id_unique` ON `enrollments` (`cohort_id`,`person_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `enrollments_cohort_id_queue_no_unique` ON `enrollments` (`cohort_id`,`queue_no`);--> statement-breakpoint
CREATE UNIQUE INDEX `enrollments_owner_id_id_unique` ON `enrollments` (`owner_id`,`id`);--> statement-breakpoint
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
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`owner_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `people_unlinked_at_index` ON `people` (`unlinked_at`) WHERE "people"."unlinked_at" IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `people_owner_id_email_canonical_unique` ON `people` (`owner_id`,`email_canonical`);--> statement-breakpoint
CREATE UNIQUE INDEX `people_owner_id_id_unique` ON `people` (`owner_id`,`id`);--> statement-breakpoint
ALTER TABLE `cohorts` ADD `welcome_note` text;--> statement-breakpoint
CREATE UNIQUE INDEX `cohorts_owner_id_id_unique` ON `cohorts` (`owner_id`,`id`);--> statement-breakpoint
CREATE TRIGGER `enrollments_hold_capacity_on_insert` AFTER INSERT ON `enrollments`
WHEN NEW.status IN ('enrolled', 'offered') AND NEW.over_capacity = 0
 AND (SELECT capacity FROM cohorts WHERE id = NEW.cohort_id) IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'cohort_full') WHERE (SELECT capacity FROM cohorts WHERE id = NEW.cohort_id) <
    (SELECT count(*) FROM enrollments e WHERE e.cohort_id = NEW.cohort_id
       AND (e.status = 'enrolled' OR (e.status = 'offered' AND e.expires_at > NEW.status_changed_at)));
END;--> statement-breakpoint
CREATE TRIGGER `enrollments_hold_capacity_on_update` BEFORE UPDATE OF `status`, `expires_at`, `over_capacity`, `cohort_id` ON `enrollments`
WHEN NEW.status IN ('enrolled', 'offered') AND NEW.over_capacity = 0
 AND NOT (OLD.cohort_id = NEW.cohort_id AND (OLD.status = 'enrolled' OR (OLD.status = 'offered' AND OLD.expires_at > NEW.status_changed_at)))
 AND (SELECT capacity FROM cohorts WHERE id = NEW.cohort_id) IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'cohort_full') WHERE (SELECT capacity FROM cohorts WHERE id = NEW.cohort_id) <=
    (SELECT count(*) FROM enrollments e WHERE e.cohort_id = NEW.cohort_id AND e.person_id <> NEW.person_id
       AND (e.status = 'enrolled' OR (e.status = 'offered' AND e.expires_at > NEW.status_changed_at)));
END;--> statement-breakpoint
CREATE TRIGGER `enrollments_history_on_insert` AFTER INSERT ON `enrollments`
BEGIN
  INSERT INTO enrollment_events (owner_id, enrollment_id, at, actor, from_status, to_status)
    VALUES (NEW.owner_id, NEW.id, NEW.status_changed_at, NEW.changed_by, NULL, NEW.status);
END;--> statement-breakpoint
CREATE TRIGGER `enrollments_history_on_update` AFTER UPDATE OF `status` ON `enrollments`
WHEN OLD.status <> NEW.status
BEGIN
  INSERT INTO enrollment_events (owner_id, enrollment_id, at, actor, from_status, to_status)
    VALUES (NEW.owner_id, NEW.id, NEW.status_changed_at, NEW.changed_by, OLD.status, NEW.status);
END;--> statement-breakpoint
CREATE TRIGGER `enrollments_link_on_insert` AFTER INSERT ON `enrollments`
BEGIN
  UPDATE people SET unlinked_at = NULL WHERE id = NEW.person_id AND unlinked_at IS NOT NULL;
END;--> statement-breakpoint
CREATE TRIGGER `enrollments_unlink_on_delete` AFTER DELETE ON `enrollments`
WHEN NOT EXISTS (SELECT 1 FROM enrollments WHERE person_id = OLD.person_id)
BEGIN
  UPDATE people SET unlinked_at = CAST(unixepoch('subsec') * 1000 AS INTEGER) WHERE id = OLD.person_id;
END;
