CREATE TABLE `address_restores` (
	`id` text PRIMARY KEY NOT NULL,
	`token_hash` text NOT NULL,
	`user_id` text NOT NULL,
	`email` text NOT NULL,
	`email_canonical` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `address_restores_token_hash_unique` ON `address_restores` (`token_hash`);--> statement-breakpoint
CREATE INDEX `address_restores_user_id_created_at_index` ON `address_restores` (`user_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `address_restores_expires_at_index` ON `address_restores` (`expires_at`);--> statement-breakpoint
CREATE TABLE `known_sign_ins` (
	`user_id` text NOT NULL,
	`origin` text NOT NULL,
	`expires_at` integer NOT NULL,
	PRIMARY KEY(`user_id`, `origin`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `known_sign_ins_expires_at_index` ON `known_sign_ins` (`expires_at`);--> statement-breakpoint
ALTER TABLE `links` ADD `session_id` text REFERENCES sessions(id) ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE `links` ADD `stop_token_hash` text;--> statement-breakpoint
CREATE UNIQUE INDEX `links_stop_token_hash_unique` ON `links` (`stop_token_hash`);--> statement-breakpoint
CREATE INDEX `links_session_id_index` ON `links` (`session_id`);