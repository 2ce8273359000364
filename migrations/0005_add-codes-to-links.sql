ALTER TABLE `links` ADD `attempt_hash` text;--> statement-breakpoint
ALTER TABLE `links` ADD `code_hash` text;--> statement-breakpoint
ALTER TABLE `links` ADD `code_tries` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `links_attempt_hash_unique` ON `links` (`attempt_hash`);