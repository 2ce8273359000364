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
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`owner_id`,`course_id`) REFERENCES `courses`(`owner_id`,`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "cohorts_ends_on_check" CHECK("cohorts"."ends_on" >= "cohorts"."starts_on"),
	CONSTRAINT "cohorts_capacity_check" CHECK("cohorts"."capacity" >= 1),
	CONSTRAINT "cohorts_minimum_people_check" CHECK("cohorts"."minimum_people" >= 1),
	CONSTRAINT "cohorts_price_check" CHECK(("cohorts"."price_minor" IS NULL) = ("cohorts"."currency" IS NULL) AND "cohorts"."price_minor" >= 0)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `cohorts_slug_unique` ON `cohorts` (`slug`);--> statement-breakpoint
CREATE INDEX `cohorts_course_index` ON `cohorts` (`owner_id`,`course_id`,`deleted_at`,`starts_on`,`id`);--> statement-breakpoint
CREATE INDEX `cohorts_ends_at_id_index` ON `cohorts` (`ends_at`,`id`);--> statement-breakpoint
CREATE INDEX `cohorts_deleted_at_index` ON `cohorts` (`deleted_at`) WHERE "cohorts"."deleted_at" IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `cohorts_owner_id_idempotency_key_unique` ON `cohorts` (`owner_id`,`idempotency_key`);