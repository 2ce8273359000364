CREATE TABLE `course_interests` (
	`id` text PRIMARY KEY NOT NULL,
	`owner_id` text NOT NULL,
	`course_id` text NOT NULL,
	`email` text NOT NULL,
	`email_canonical` text NOT NULL,
	`language` text NOT NULL,
	`consent_version` integer NOT NULL,
	`created_at` integer NOT NULL,
	`confirmed_at` integer,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`owner_id`,`course_id`) REFERENCES `courses`(`owner_id`,`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `course_interests_owner_id_course_id_index` ON `course_interests` (`owner_id`,`course_id`);--> statement-breakpoint
CREATE INDEX `course_interests_confirmed_index` ON `course_interests` (`course_id`) WHERE "course_interests"."confirmed_at" IS NOT NULL;--> statement-breakpoint
CREATE INDEX `course_interests_expires_at_index` ON `course_interests` (`expires_at`);--> statement-breakpoint
CREATE UNIQUE INDEX `course_interests_course_id_email_canonical_unique` ON `course_interests` (`course_id`,`email_canonical`);--> statement-breakpoint
ALTER TABLE `courses` ADD `slug` text;--> statement-breakpoint
CREATE UNIQUE INDEX `courses_slug_unique` ON `courses` (`slug`);--> statement-breakpoint
ALTER TABLE `enrollment_events` ADD `moved_from` text;--> statement-breakpoint
-- By hand from here: no tool writes triggers.
CREATE TRIGGER `enrollments_history_on_move` AFTER UPDATE OF `cohort_id` ON `enrollments`
WHEN OLD.cohort_id <> NEW.cohort_id
BEGIN
  INSERT INTO enrollment_events (owner_id, enrollment_id, at, actor, from_status, to_status, moved_from)
    VALUES (NEW.owner_id, NEW.id, NEW.status_changed_at, NEW.changed_by, OLD.status, NEW.status,
      (SELECT name FROM cohorts WHERE id = OLD.cohort_id));
END;
