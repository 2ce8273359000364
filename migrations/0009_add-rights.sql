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
--> statement-breakpoint
CREATE INDEX `blocked_addresses_owner_id_cohort_id_index` ON `blocked_addresses` (`owner_id`,`cohort_id`);--> statement-breakpoint
CREATE TABLE `cohort_erasures` (
	`id` integer PRIMARY KEY NOT NULL,
	`owner_id` text NOT NULL,
	`cohort_id` text NOT NULL,
	`at` integer NOT NULL,
	`actor` text NOT NULL,
	FOREIGN KEY (`owner_id`,`cohort_id`) REFERENCES `cohorts`(`owner_id`,`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `cohort_erasures_owner_id_cohort_id_at_index` ON `cohort_erasures` (`owner_id`,`cohort_id`,`at`);--> statement-breakpoint
-- By hand: people whom no cohort has ever had are forgotten like those who have left their last.
UPDATE `people` SET `unlinked_at` = `updated_at` WHERE `unlinked_at` IS NULL AND NOT EXISTS (SELECT 1 FROM `enrollments` e WHERE e.person_id = `people`.`id`);
