-- Written by hand. Drops the CHECKs of lists that grow, which no ALTER TABLE can, adds `subject` and `provider`.
-- Dropping `users` while tables point to it would delete their rows, because D1 keeps foreign keys on. So all of
-- these tables are copied, those that point are dropped first, and the renames carry the foreign keys along.
CREATE TABLE `new_users` (
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
	`created_at` integer NOT NULL,
	FOREIGN KEY (`id`,`selected_course_id`) REFERENCES `new_courses`(`owner_id`,`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `new_courses` (
	`id` text PRIMARY KEY NOT NULL,
	`owner_id` text NOT NULL,
	`name` text NOT NULL,
	`course_type` text NOT NULL,
	`idempotency_key` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`owner_id`) REFERENCES `new_users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `new_sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`token_hash` text NOT NULL,
	`user_id` text NOT NULL,
	`user_agent` text NOT NULL,
	`created_at` integer NOT NULL,
	`last_seen_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `new_users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `new_links` (
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
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `new_users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`session_id`) REFERENCES `new_sessions`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `new_address_restores` (
	`id` text PRIMARY KEY NOT NULL,
	`token_hash` text NOT NULL,
	`user_id` text NOT NULL,
	`email` text NOT NULL,
	`email_canonical` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `new_users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `new_known_sign_ins` (
	`user_id` text NOT NULL,
	`origin` text NOT NULL,
	`expires_at` integer NOT NULL,
	PRIMARY KEY(`user_id`, `origin`),
	FOREIGN KEY (`user_id`) REFERENCES `new_users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `new_undeliverable_addresses` (
	`email_canonical` text PRIMARY KEY NOT NULL,
	`reason` text NOT NULL,
	`since` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `new_webhook_deliveries` (
	`provider` text DEFAULT 'resend' NOT NULL,
	`id` text NOT NULL,
	`expires_at` integer NOT NULL,
	PRIMARY KEY(`id`, `provider`)
);
--> statement-breakpoint
-- The foreign key of users needs one at any time, and the final name is taken until `courses` goes.
CREATE UNIQUE INDEX `new_courses_owner_id_id_unique` ON `new_courses` (`owner_id`,`id`);--> statement-breakpoint
INSERT INTO `new_users` (`id`, `first_name`, `last_name`, `email`, `email_canonical`, `email_verified_at`, `language`, `google_sub`, `avatar_url`, `selected_course_id`, `created_at`)
	SELECT `id`, `first_name`, `last_name`, `email`, `email_canonical`, `email_verified_at`, `language`, `google_sub`, `avatar_url`, NULL, `created_at` FROM `users`;--> statement-breakpoint
INSERT INTO `new_courses` (`id`, `owner_id`, `name`, `course_type`, `idempotency_key`, `created_at`, `updated_at`)
	SELECT `id`, `owner_id`, `name`, `course_type`, `idempotency_key`, `created_at`, `updated_at` FROM `courses`;--> statement-breakpoint
UPDATE `new_users` SET `selected_course_id` = (SELECT `selected_course_id` FROM `users` WHERE `users`.`id` = `new_users`.`id`);--> statement-breakpoint
INSERT INTO `new_sessions` (`id`, `token_hash`, `user_id`, `user_agent`, `created_at`, `last_seen_at`)
	SELECT `id`, `token_hash`, `user_id`, `user_agent`, `created_at`, `last_seen_at` FROM `sessions`;--> statement-breakpoint
INSERT INTO `new_links` (`id`, `token_hash`, `user_id`, `purpose`, `subject`, `email_canonical`, `new_email`, `session_id`, `stop_token_hash`, `created_at`, `expires_at`)
	SELECT `id`, `token_hash`, `user_id`, `purpose`, '', `email_canonical`, `new_email`, `session_id`, `stop_token_hash`, `created_at`, `expires_at` FROM `links`;--> statement-breakpoint
INSERT INTO `new_address_restores` (`id`, `token_hash`, `user_id`, `email`, `email_canonical`, `created_at`, `expires_at`)
	SELECT `id`, `token_hash`, `user_id`, `email`, `email_canonical`, `created_at`, `expires_at` FROM `address_restores`;--> statement-breakpoint
INSERT INTO `new_known_sign_ins` (`user_id`, `origin`, `expires_at`)
	SELECT `user_id`, `origin`, `expires_at` FROM `known_sign_ins`;--> statement-breakpoint
INSERT INTO `new_undeliverable_addresses` (`email_canonical`, `reason`, `since`)
	SELECT `email_canonical`, `reason`, `since` FROM `undeliverable_addresses`;--> statement-breakpoint
INSERT INTO `new_webhook_deliveries` (`provider`, `id`, `expires_at`)
	SELECT 'resend', `id`, `expires_at` FROM `webhook_deliveries`;--> statement-breakpoint
UPDATE `users` SET `selected_course_id` = NULL;--> statement-breakpoint
DROP TABLE `links`;--> statement-breakpoint
DROP TABLE `sessions`;--> statement-breakpoint
DROP TABLE `address_restores`;--> statement-breakpoint
DROP TABLE `known_sign_ins`;--> statement-breakpoint
DROP TABLE `courses`;--> statement-breakpoint
DROP TABLE `users`;--> statement-breakpoint
DROP TABLE `undeliverable_addresses`;--> statement-breakpoint
DROP TABLE `webhook_deliveries`;--> statement-breakpoint
ALTER TABLE `new_users` RENAME TO `users`;--> statement-breakpoint
ALTER TABLE `new_courses` RENAME TO `courses`;--> statement-breakpoint
ALTER TABLE `new_sessions` RENAME TO `sessions`;--> statement-breakpoint
ALTER TABLE `new_links` RENAME TO `links`;--> statement-breakpoint
ALTER TABLE `new_address_restores` RENAME TO `address_restores`;--> statement-breakpoint
ALTER TABLE `new_known_sign_ins` RENAME TO `known_sign_ins`;--> statement-breakpoint
ALTER TABLE `new_undeliverable_addresses` RENAME TO `undeliverable_addresses`;--> statement-breakpoint
ALTER TABLE `new_webhook_deliveries` RENAME TO `webhook_deliveries`;--> statement-breakpoint
CREATE UNIQUE INDEX `users_email_canonical_unique` ON `users` (`email_canonical`);--> statement-breakpoint
CREATE UNIQUE INDEX `users_google_sub_unique` ON `users` (`google_sub`);--> statement-breakpoint
CREATE INDEX `courses_owner_id_created_at_id_index` ON `courses` (`owner_id`,`created_at`,`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `courses_owner_id_id_unique` ON `courses` (`owner_id`,`id`);--> statement-breakpoint
DROP INDEX `new_courses_owner_id_id_unique`;--> statement-breakpoint
CREATE UNIQUE INDEX `courses_owner_id_idempotency_key_unique` ON `courses` (`owner_id`,`idempotency_key`);--> statement-breakpoint
CREATE UNIQUE INDEX `sessions_token_hash_unique` ON `sessions` (`token_hash`);--> statement-breakpoint
CREATE INDEX `sessions_user_id_index` ON `sessions` (`user_id`);--> statement-breakpoint
CREATE INDEX `sessions_last_seen_at_index` ON `sessions` (`last_seen_at`);--> statement-breakpoint
CREATE INDEX `sessions_created_at_index` ON `sessions` (`created_at`);--> statement-breakpoint
CREATE UNIQUE INDEX `links_token_hash_unique` ON `links` (`token_hash`);--> statement-breakpoint
CREATE UNIQUE INDEX `links_stop_token_hash_unique` ON `links` (`stop_token_hash`);--> statement-breakpoint
CREATE INDEX `links_session_id_index` ON `links` (`session_id`);--> statement-breakpoint
CREATE INDEX `links_expires_at_index` ON `links` (`expires_at`);--> statement-breakpoint
CREATE UNIQUE INDEX `links_user_id_purpose_subject_unique` ON `links` (`user_id`,`purpose`,`subject`);--> statement-breakpoint
CREATE UNIQUE INDEX `links_user_id_purpose_unique` ON `links` (`user_id`,`purpose`);--> statement-breakpoint
CREATE UNIQUE INDEX `address_restores_token_hash_unique` ON `address_restores` (`token_hash`);--> statement-breakpoint
CREATE INDEX `address_restores_user_id_created_at_index` ON `address_restores` (`user_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `address_restores_expires_at_index` ON `address_restores` (`expires_at`);--> statement-breakpoint
CREATE INDEX `known_sign_ins_expires_at_index` ON `known_sign_ins` (`expires_at`);--> statement-breakpoint
CREATE INDEX `webhook_deliveries_expires_at_index` ON `webhook_deliveries` (`expires_at`);