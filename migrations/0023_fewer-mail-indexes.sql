DROP INDEX `mails_due_to_strangers_index`;--> statement-breakpoint
DROP INDEX `mails_due_to_canonical_sent_at_index`;--> statement-breakpoint
DROP INDEX `mails_due_texts_index`;--> statement-breakpoint
DROP INDEX `mails_due_emptied_index`;--> statement-breakpoint
DROP INDEX `mails_due_cohort_id_kind_index`;--> statement-breakpoint
DROP INDEX `mails_due_owner_id_sent_at_index`;--> statement-breakpoint
CREATE INDEX `mails_due_to_canonical_index` ON `mails_due` (`to_canonical`);--> statement-breakpoint
CREATE INDEX `mails_due_done_index` ON `mails_due` (("payload" = ''),`due_at`) WHERE "mails_due"."sent_at" IS NOT NULL OR "mails_due"."failed_at" IS NOT NULL;--> statement-breakpoint
CREATE INDEX `mails_due_cohort_id_kind_index` ON `mails_due` (`cohort_id`,`kind`);--> statement-breakpoint
CREATE INDEX `mails_due_owner_id_sent_at_index` ON `mails_due` (`owner_id`,`sent_at`,`kind`,`complained_at`,`is_to_stranger`) WHERE "mails_due"."sent_at" IS NOT NULL;