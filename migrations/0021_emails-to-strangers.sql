DROP INDEX `mails_due_enrollment_id_index`;--> statement-breakpoint
ALTER TABLE `mails_due` ADD `is_to_stranger` integer DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX `mails_due_enrollment_id_kind_index` ON `mails_due` (`enrollment_id`,`kind`);--> statement-breakpoint
CREATE INDEX `mails_due_to_strangers_index` ON `mails_due` (`owner_id`,`sent_at`) WHERE "mails_due"."is_to_stranger" = 1 AND "mails_due"."sent_at" IS NOT NULL;