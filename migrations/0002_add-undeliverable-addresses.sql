CREATE TABLE `undeliverable_addresses` (
	`email_canonical` text PRIMARY KEY NOT NULL,
	`reason` text NOT NULL,
	`since` integer NOT NULL,
	CONSTRAINT "undeliverable_addresses_reason_check" CHECK("undeliverable_addresses"."reason" IN ('bounced', 'complained'))
);
--> statement-breakpoint
CREATE TABLE `webhook_deliveries` (
	`id` text PRIMARY KEY NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `webhook_deliveries_expires_at_index` ON `webhook_deliveries` (`expires_at`);