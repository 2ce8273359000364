CREATE TABLE `courses` (
	`id` text PRIMARY KEY NOT NULL,
	`owner_id` text NOT NULL,
	`name` text NOT NULL,
	`course_type` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`owner_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "courses_course_type_check" CHECK("courses"."course_type" IN ('evergreen', 'cohort'))
);
--> statement-breakpoint
CREATE INDEX `courses_owner_id_created_at_id_index` ON `courses` (`owner_id`,`created_at`,`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `courses_owner_id_id_unique` ON `courses` (`owner_id`,`id`);--> statement-breakpoint
CREATE TABLE `links` (
	`id` text PRIMARY KEY NOT NULL,
	`token_hash` text NOT NULL,
	`user_id` text NOT NULL,
	`purpose` text NOT NULL,
	`email_canonical` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "links_purpose_check" CHECK("links"."purpose" IN ('verification', 'login', 'address_change'))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `links_token_hash_unique` ON `links` (`token_hash`);--> statement-breakpoint
CREATE UNIQUE INDEX `links_user_id_purpose_unique` ON `links` (`user_id`,`purpose`);--> statement-breakpoint
CREATE TABLE `sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`token_hash` text NOT NULL,
	`user_id` text NOT NULL,
	`user_agent` text NOT NULL,
	`created_at` integer NOT NULL,
	`last_seen_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `sessions_token_hash_unique` ON `sessions` (`token_hash`);--> statement-breakpoint
CREATE INDEX `sessions_user_id_index` ON `sessions` (`user_id`);--> statement-breakpoint
CREATE TABLE `users` (
	`id` text PRIMARY KEY NOT NULL,
	`first_name` text NOT NULL,
	`last_name` text NOT NULL,
	`email` text NOT NULL,
	`email_canonical` text NOT NULL,
	`email_verified_at` integer,
	`language` text NOT NULL,
	`selected_course_id` text,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`id`,`selected_course_id`) REFERENCES `courses`(`owner_id`,`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "users_language_check" CHECK("users"."language" IN ('en', 'fr'))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `users_email_canonical_unique` ON `users` (`email_canonical`);