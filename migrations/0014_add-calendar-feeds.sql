CREATE TABLE `calendar_feeds` (
	`owner_id` text PRIMARY KEY NOT NULL,
	`version` integer NOT NULL,
	`enabled_at` integer,
	FOREIGN KEY (`owner_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
