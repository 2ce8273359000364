CREATE TABLE `counters` (
	`key` text NOT NULL,
	`window_start` integer NOT NULL,
	`count` integer NOT NULL,
	`expires_at` integer NOT NULL,
	PRIMARY KEY(`key`, `window_start`)
);
--> statement-breakpoint
CREATE INDEX `counters_expires_at_index` ON `counters` (`expires_at`);--> statement-breakpoint
ALTER TABLE `courses` ADD `idempotency_key` text;--> statement-breakpoint
CREATE UNIQUE INDEX `courses_owner_id_idempotency_key_unique` ON `courses` (`owner_id`,`idempotency_key`);--> statement-breakpoint
ALTER TABLE `links` ADD `new_email` text;--> statement-breakpoint
CREATE INDEX `links_expires_at_index` ON `links` (`expires_at`);--> statement-breakpoint
ALTER TABLE `users` ADD `google_sub` text;--> statement-breakpoint
ALTER TABLE `users` ADD `avatar_url` text;--> statement-breakpoint
CREATE UNIQUE INDEX `users_google_sub_unique` ON `users` (`google_sub`);--> statement-breakpoint
CREATE INDEX `sessions_last_seen_at_index` ON `sessions` (`last_seen_at`);--> statement-breakpoint
CREATE INDEX `sessions_created_at_index` ON `sessions` (`created_at`);