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
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`owner_id`,`cohort_id`) REFERENCES `cohorts`(`owner_id`,`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "meetings_duration_check" CHECK("meetings"."duration_minutes" BETWEEN 5 AND 1440),
	CONSTRAINT "meetings_sequence_check" CHECK("meetings"."sequence" >= 0)
);
--> statement-breakpoint
CREATE INDEX `meetings_cohort_index` ON `meetings` (`cohort_id`,`starts_at`,`id`,`cancelled_at`);--> statement-breakpoint
CREATE INDEX `meetings_owner_id_starts_at_index` ON `meetings` (`owner_id`,`starts_at`);--> statement-breakpoint
CREATE INDEX `meetings_starts_at_id_index` ON `meetings` (`starts_at`,`id`) WHERE "meetings"."cancelled_at" IS NULL;--> statement-breakpoint
CREATE INDEX `meetings_cancelled_at_index` ON `meetings` (`cancelled_at`) WHERE "meetings"."cancelled_at" IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `meetings_owner_id_idempotency_key_unique` ON `meetings` (`owner_id`,`idempotency_key`,`idempotency_no`);