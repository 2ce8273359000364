CREATE TABLE `mail_texts` (
	`id` text PRIMARY KEY NOT NULL,
	`owner_id` text,
	`facts` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`owner_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE INDEX `mail_texts_owner_id_index` ON `mail_texts` (`owner_id`);--> statement-breakpoint
CREATE INDEX `mail_texts_created_at_index` ON `mail_texts` (`created_at`);--> statement-breakpoint
CREATE TABLE `interests_due` (
	`course_id` text PRIMARY KEY NOT NULL,
	`owner_id` text NOT NULL,
	`due_at` integer NOT NULL,
	FOREIGN KEY (`owner_id`,`course_id`) REFERENCES `courses`(`owner_id`,`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `interests_due_owner_id_course_id_index` ON `interests_due` (`owner_id`,`course_id`);--> statement-breakpoint
CREATE INDEX `interests_due_due_at_index` ON `interests_due` (`due_at`);--> statement-breakpoint
ALTER TABLE `mails_due` ADD `text_id` text;--> statement-breakpoint
CREATE INDEX `mails_due_text_id_index` ON `mails_due` (`text_id`) WHERE "mails_due"."text_id" IS NOT NULL;--> statement-breakpoint
ALTER TABLE `people` ADD `corrected_at` integer;--> statement-breakpoint
-- Everything that can open a course to those who wait for it. Only courses that someone waits for.
INSERT INTO `interests_due` (course_id, owner_id, due_at)
  SELECT DISTINCT course_id, owner_id, 0 FROM course_interests WHERE confirmed_at IS NOT NULL;--> statement-breakpoint
CREATE TRIGGER `interests_due_on_insert` AFTER INSERT ON `course_interests`
WHEN NEW.confirmed_at IS NOT NULL
BEGIN
  INSERT INTO interests_due (course_id, owner_id, due_at) VALUES (NEW.course_id, NEW.owner_id, 0)
    ON CONFLICT (course_id) DO UPDATE SET due_at = 0;
END;--> statement-breakpoint
CREATE TRIGGER `interests_due_on_confirm` AFTER UPDATE OF `confirmed_at` ON `course_interests`
WHEN NEW.confirmed_at IS NOT NULL
BEGIN
  INSERT INTO interests_due (course_id, owner_id, due_at) VALUES (NEW.course_id, NEW.owner_id, 0)
    ON CONFLICT (course_id) DO UPDATE SET due_at = 0;
END;--> statement-breakpoint
CREATE TRIGGER `interests_due_on_new_cohort` AFTER INSERT ON `cohorts`
WHEN EXISTS (SELECT 1 FROM course_interests i WHERE i.course_id = NEW.course_id AND i.confirmed_at IS NOT NULL)
BEGIN
  INSERT INTO interests_due (course_id, owner_id, due_at) VALUES (NEW.course_id, NEW.owner_id, 0)
    ON CONFLICT (course_id) DO UPDATE SET due_at = 0;
END;--> statement-breakpoint
CREATE TRIGGER `interests_due_on_cohort` AFTER UPDATE ON `cohorts`
WHEN EXISTS (SELECT 1 FROM course_interests i WHERE i.course_id = NEW.course_id AND i.confirmed_at IS NOT NULL)
BEGIN
  INSERT INTO interests_due (course_id, owner_id, due_at) VALUES (NEW.course_id, NEW.owner_id, 0)
    ON CONFLICT (course_id) DO UPDATE SET due_at = 0;
END;--> statement-breakpoint
CREATE TRIGGER `interests_due_on_place` AFTER UPDATE OF `status`, `cohort_id` ON `enrollments`
WHEN OLD.status IN ('enrolled', 'offered', 'waitlisted')
 AND (OLD.status <> NEW.status OR OLD.cohort_id <> NEW.cohort_id)
BEGIN
  INSERT INTO interests_due (course_id, owner_id, due_at)
    SELECT c.course_id, c.owner_id, 0 FROM cohorts c WHERE c.id = OLD.cohort_id
      AND EXISTS (SELECT 1 FROM course_interests i WHERE i.course_id = c.course_id AND i.confirmed_at IS NOT NULL)
    ON CONFLICT (course_id) DO UPDATE SET due_at = 0;
END;--> statement-breakpoint
CREATE TRIGGER `interests_due_on_leaving` AFTER DELETE ON `enrollments`
WHEN OLD.status IN ('enrolled', 'offered', 'waitlisted')
BEGIN
  INSERT INTO interests_due (course_id, owner_id, due_at)
    SELECT c.course_id, c.owner_id, 0 FROM cohorts c WHERE c.id = OLD.cohort_id
      AND EXISTS (SELECT 1 FROM course_interests i WHERE i.course_id = c.course_id AND i.confirmed_at IS NOT NULL)
    ON CONFLICT (course_id) DO UPDATE SET due_at = 0;
END;
