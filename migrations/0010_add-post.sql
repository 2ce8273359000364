CREATE TABLE `news_due` (
	`owner_id` text PRIMARY KEY NOT NULL,
	`since` integer NOT NULL,
	`due_at` integer NOT NULL,
	FOREIGN KEY (`owner_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `news_due_due_at_index` ON `news_due` (`due_at`);--> statement-breakpoint
ALTER TABLE `users` ADD `roster_news` integer DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE `cohorts` ADD `reminds_invited` integer DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE `mails_due` ADD `cohort_id` text REFERENCES cohorts(id) ON DELETE SET NULL;--> statement-breakpoint
ALTER TABLE `mails_due` ADD `bounced_at` integer;--> statement-breakpoint
CREATE INDEX `mails_due_cohort_id_kind_index` ON `mails_due` (`cohort_id`,`kind`,`sent_at`);--> statement-breakpoint
CREATE INDEX `mails_due_returned_index` ON `mails_due` (`cohort_id`,`due_at`) WHERE "mails_due"."failure" <> 'not_needed' OR "mails_due"."bounced_at" IS NOT NULL OR "mails_due"."complained_at" IS NOT NULL;--> statement-breakpoint
CREATE INDEX `mails_due_owner_id_sent_at_index` ON `mails_due` (`owner_id`,`sent_at`,`kind`,`complained_at`) WHERE "mails_due"."sent_at" IS NOT NULL;--> statement-breakpoint
ALTER TABLE `people` ADD `no_invitations_at` integer;--> statement-breakpoint
UPDATE `mails_due` SET `cohort_id` = (SELECT `cohort_id` FROM `enrollments` WHERE `id` = `mails_due`.`enrollment_id`);--> statement-breakpoint
-- Written by hand, so Drizzle's snapshot lacks it: who has news, from what people do by themselves.
CREATE TRIGGER `enrollment_events_news` AFTER INSERT ON `enrollment_events`
WHEN NEW.actor = 'person' AND NEW.to_status IN ('enrolled', 'waitlisted', 'applied', 'left')
 AND NOT EXISTS (SELECT 1 FROM news_due WHERE owner_id = NEW.owner_id)
BEGIN
  INSERT INTO news_due (owner_id, since, due_at) VALUES (NEW.owner_id, NEW.at, 0);
END;
