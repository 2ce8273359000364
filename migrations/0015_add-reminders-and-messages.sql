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
	`created_at` integer NOT NULL,
	FOREIGN KEY (`owner_id`,`cohort_id`) REFERENCES `cohorts`(`owner_id`,`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `group_messages_cohort_index` ON `group_messages` (`owner_id`,`cohort_id`,`created_at`);--> statement-breakpoint
CREATE UNIQUE INDEX `group_messages_owner_id_idempotency_key_unique` ON `group_messages` (`owner_id`,`idempotency_key`);--> statement-breakpoint
ALTER TABLE `cohorts` ADD `reminds_start` integer DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE `cohorts` ADD `reminds_day_before` integer DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE `cohorts` ADD `reminds_hour_before` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `cohorts` ADD `start_reminder_at` integer;--> statement-breakpoint
ALTER TABLE `cohorts` ADD `start_reminded_on` text;--> statement-breakpoint
CREATE INDEX `cohorts_start_reminder_at_index` ON `cohorts` (`start_reminder_at`) WHERE "cohorts"."start_reminded_on" IS NOT "cohorts"."starts_on";--> statement-breakpoint
ALTER TABLE `meetings` ADD `reminded_day_for` integer;--> statement-breakpoint
ALTER TABLE `meetings` ADD `reminded_hour_for` integer;--> statement-breakpoint
CREATE INDEX `meetings_day_reminder_index` ON `meetings` (`starts_at`) WHERE "meetings"."cancelled_at" IS NULL AND "meetings"."reminded_day_for" IS NOT "meetings"."starts_at";--> statement-breakpoint
CREATE INDEX `meetings_hour_reminder_index` ON `meetings` (`starts_at`) WHERE "meetings"."cancelled_at" IS NULL AND "meetings"."reminded_hour_for" IS NOT "meetings"."starts_at";--> statement-breakpoint
ALTER TABLE `mails_due` ADD `batch_key` text;--> statement-breakpoint
ALTER TABLE `people` ADD `no_reminders_at` integer;