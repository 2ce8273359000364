CREATE TABLE `learner_codes` (
	`person_id` text PRIMARY KEY NOT NULL,
	`owner_id` text NOT NULL,
	`attempt_hash` text NOT NULL,
	`code_hash` text NOT NULL,
	`tries` integer DEFAULT 0 NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`owner_id`,`person_id`) REFERENCES `people`(`owner_id`,`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `learner_codes_person_index` ON `learner_codes` (`owner_id`,`person_id`);--> statement-breakpoint
CREATE INDEX `learner_codes_attempt_index` ON `learner_codes` (`attempt_hash`);--> statement-breakpoint
CREATE INDEX `learner_codes_expires_at_index` ON `learner_codes` (`expires_at`);--> statement-breakpoint
CREATE TABLE `learning` (
	`enrollment_id` text PRIMARY KEY NOT NULL,
	`owner_id` text NOT NULL,
	`cohort_id` text NOT NULL,
	`started_at` integer NOT NULL,
	`last_seen_at` integer,
	`last_lesson_id` text,
	`done` integer DEFAULT 0 NOT NULL,
	`next_release_at` integer,
	`nudges` integer DEFAULT 0 NOT NULL,
	`nudge_due_at` integer,
	FOREIGN KEY (`last_lesson_id`) REFERENCES `lessons`(`id`) ON UPDATE no action ON DELETE set null,
	FOREIGN KEY (`owner_id`,`enrollment_id`) REFERENCES `enrollments`(`owner_id`,`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `learning_enrollment_index` ON `learning` (`owner_id`,`enrollment_id`);--> statement-breakpoint
CREATE INDEX `learning_cohort_index` ON `learning` (`cohort_id`,`last_seen_at`);--> statement-breakpoint
CREATE INDEX `learning_last_lesson_index` ON `learning` (`last_lesson_id`);--> statement-breakpoint
CREATE INDEX `learning_next_release_index` ON `learning` (`next_release_at`) WHERE "learning"."next_release_at" IS NOT NULL;--> statement-breakpoint
CREATE INDEX `learning_nudge_index` ON `learning` (`nudge_due_at`) WHERE "learning"."nudge_due_at" IS NOT NULL;--> statement-breakpoint
CREATE TABLE `lesson_counts` (
	`cohort_id` text NOT NULL,
	`lesson_id` text NOT NULL,
	`owner_id` text NOT NULL,
	`opened` integer NOT NULL,
	`done` integer NOT NULL,
	PRIMARY KEY(`cohort_id`, `lesson_id`),
	FOREIGN KEY (`owner_id`,`cohort_id`) REFERENCES `cohorts`(`owner_id`,`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`owner_id`,`lesson_id`) REFERENCES `lessons`(`owner_id`,`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `lesson_counts_cohort_index` ON `lesson_counts` (`owner_id`,`cohort_id`);--> statement-breakpoint
CREATE INDEX `lesson_counts_lesson_index` ON `lesson_counts` (`owner_id`,`lesson_id`);--> statement-breakpoint
CREATE TABLE `lesson_marks` (
	`enrollment_id` text NOT NULL,
	`lesson_id` text NOT NULL,
	`owner_id` text NOT NULL,
	`cohort_id` text NOT NULL,
	`opened_at` integer NOT NULL,
	`done_at` integer,
	PRIMARY KEY(`enrollment_id`, `lesson_id`),
	FOREIGN KEY (`owner_id`,`enrollment_id`) REFERENCES `enrollments`(`owner_id`,`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`owner_id`,`lesson_id`) REFERENCES `lessons`(`owner_id`,`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `lesson_marks_enrollment_index` ON `lesson_marks` (`owner_id`,`enrollment_id`);--> statement-breakpoint
CREATE INDEX `lesson_marks_lesson_index` ON `lesson_marks` (`owner_id`,`lesson_id`);--> statement-breakpoint
CREATE TABLE `cohort_sections` (
	`cohort_id` text NOT NULL,
	`section_id` text NOT NULL,
	`owner_id` text NOT NULL,
	`mode` text NOT NULL,
	`opens_local` text,
	`opens_at` integer,
	`meeting_id` text,
	`meeting_edge` text,
	PRIMARY KEY(`cohort_id`, `section_id`),
	FOREIGN KEY (`meeting_id`) REFERENCES `meetings`(`id`) ON UPDATE no action ON DELETE set null,
	FOREIGN KEY (`owner_id`,`cohort_id`) REFERENCES `cohorts`(`owner_id`,`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`owner_id`,`section_id`) REFERENCES `sections`(`owner_id`,`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `cohort_sections_cohort_index` ON `cohort_sections` (`owner_id`,`cohort_id`);--> statement-breakpoint
CREATE INDEX `cohort_sections_section_index` ON `cohort_sections` (`owner_id`,`section_id`);--> statement-breakpoint
CREATE INDEX `cohort_sections_meeting_index` ON `cohort_sections` (`meeting_id`);--> statement-breakpoint
CREATE TABLE `lesson_versions` (
	`id` integer PRIMARY KEY NOT NULL,
	`owner_id` text NOT NULL,
	`lesson_id` text NOT NULL,
	`at` integer NOT NULL,
	`reason` text NOT NULL,
	`title` text NOT NULL,
	`document` text NOT NULL,
	`words` integer NOT NULL,
	FOREIGN KEY (`owner_id`,`lesson_id`) REFERENCES `lessons`(`owner_id`,`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `lesson_versions_lesson_index` ON `lesson_versions` (`owner_id`,`lesson_id`,`at`);--> statement-breakpoint
CREATE TABLE `lessons` (
	`id` text PRIMARY KEY NOT NULL,
	`owner_id` text NOT NULL,
	`course_id` text NOT NULL,
	`section_id` text NOT NULL,
	`position` integer NOT NULL,
	`minutes` integer,
	`title` text NOT NULL,
	`words` integer NOT NULL,
	`draft_version` integer DEFAULT 0 NOT NULL,
	`draft_at` integer NOT NULL,
	`published_title` text,
	`published_words` integer,
	`published_version` integer,
	`published_at` integer,
	`deleted_at` integer,
	`idempotency_key` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`html` text,
	`document` text NOT NULL,
	FOREIGN KEY (`owner_id`,`section_id`) REFERENCES `sections`(`owner_id`,`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`owner_id`,`course_id`) REFERENCES `courses`(`owner_id`,`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "lessons_published_check" CHECK(("lessons"."published_at" IS NULL) = ("lessons"."html" IS NULL)
        AND ("lessons"."published_at" IS NULL) = ("lessons"."published_title" IS NULL)),
	CONSTRAINT "lessons_minutes_check" CHECK("lessons"."minutes" BETWEEN 1 AND 600)
);
--> statement-breakpoint
CREATE INDEX `lessons_section_index` ON `lessons` (`owner_id`,`section_id`,`position`,`id`);--> statement-breakpoint
CREATE INDEX `lessons_course_index` ON `lessons` (`owner_id`,`course_id`);--> statement-breakpoint
CREATE INDEX `lessons_published_index` ON `lessons` (`owner_id`,`course_id`) WHERE "lessons"."published_at" IS NOT NULL AND "lessons"."deleted_at" IS NULL;--> statement-breakpoint
CREATE INDEX `lessons_deleted_at_index` ON `lessons` (`deleted_at`) WHERE "lessons"."deleted_at" IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `lessons_owner_id_id_unique` ON `lessons` (`owner_id`,`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `lessons_owner_id_idempotency_key_unique` ON `lessons` (`owner_id`,`idempotency_key`);--> statement-breakpoint
CREATE TABLE `sections` (
	`id` text PRIMARY KEY NOT NULL,
	`owner_id` text NOT NULL,
	`course_id` text NOT NULL,
	`title` text,
	`position` integer NOT NULL,
	`release_days` integer,
	`idempotency_key` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`owner_id`,`course_id`) REFERENCES `courses`(`owner_id`,`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "sections_release_days_check" CHECK("sections"."release_days" BETWEEN 0 AND 730)
);
--> statement-breakpoint
CREATE INDEX `sections_outline_index` ON `sections` (`owner_id`,`course_id`,`position`,`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `sections_owner_id_id_unique` ON `sections` (`owner_id`,`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `sections_owner_id_idempotency_key_unique` ON `sections` (`owner_id`,`idempotency_key`);--> statement-breakpoint
ALTER TABLE `courses` ADD `shows_outline` integer DEFAULT false NOT NULL;--> statement-breakpoint
-- The triggers are by hand, because drizzle-kit writes none.
-- Whoever has ever been enrolled, since they first were.
INSERT INTO `learning` (enrollment_id, owner_id, cohort_id, started_at)
  SELECT e.id, e.owner_id, e.cohort_id, min(v.at) FROM enrollments e
    JOIN enrollment_events v ON v.owner_id = e.owner_id AND v.enrollment_id = e.id
  WHERE v.to_status = 'enrolled' GROUP BY e.id;--> statement-breakpoint
CREATE TRIGGER `enrollments_start_learning_on_insert` AFTER INSERT ON `enrollments`
WHEN NEW.status = 'enrolled'
BEGIN
  INSERT INTO learning (enrollment_id, owner_id, cohort_id, started_at)
    VALUES (NEW.id, NEW.owner_id, NEW.cohort_id, NEW.status_changed_at);
END;--> statement-breakpoint
CREATE TRIGGER `enrollments_start_learning_on_update` AFTER UPDATE OF `status` ON `enrollments`
WHEN NEW.status = 'enrolled' AND NOT EXISTS (SELECT 1 FROM learning l WHERE l.enrollment_id = NEW.id)
BEGIN
  INSERT INTO learning (enrollment_id, owner_id, cohort_id, started_at)
    VALUES (NEW.id, NEW.owner_id, NEW.cohort_id, NEW.status_changed_at);
END;--> statement-breakpoint
-- Also to a cohort of another course, whose lessons are others: the marks stay for a return.
CREATE TRIGGER `enrollments_move_learning` AFTER UPDATE OF `cohort_id` ON `enrollments`
WHEN OLD.cohort_id <> NEW.cohort_id
BEGIN
  UPDATE lesson_marks SET cohort_id = NEW.cohort_id WHERE enrollment_id = NEW.id;
  UPDATE learning SET cohort_id = NEW.cohort_id, done = (SELECT count(*) FROM lesson_marks m
      JOIN lessons l ON l.id = m.lesson_id JOIN cohorts c ON c.id = NEW.cohort_id AND c.course_id = l.course_id
      WHERE m.enrollment_id = NEW.id AND m.done_at IS NOT NULL
        AND l.published_at IS NOT NULL AND l.deleted_at IS NULL)
    WHERE enrollment_id = NEW.id;
END;--> statement-breakpoint
-- Marks have the cohort themselves: in a cascade, their enrollment is gone before these run.
CREATE TRIGGER `lesson_marks_count_on_insert` AFTER INSERT ON `lesson_marks`
BEGIN
  INSERT INTO lesson_counts (cohort_id, lesson_id, owner_id, opened, done)
    VALUES (NEW.cohort_id, NEW.lesson_id, NEW.owner_id, 1, NEW.done_at IS NOT NULL)
    ON CONFLICT (cohort_id, lesson_id) DO UPDATE SET opened = opened + 1, done = done + excluded.done;
  UPDATE learning SET done = done + 1 WHERE enrollment_id = NEW.enrollment_id AND NEW.done_at IS NOT NULL
    AND EXISTS (SELECT 1 FROM lessons l JOIN cohorts c ON c.id = NEW.cohort_id AND c.course_id = l.course_id
      WHERE l.id = NEW.lesson_id AND l.published_at IS NOT NULL AND l.deleted_at IS NULL);
END;--> statement-breakpoint
CREATE TRIGGER `lesson_marks_count_on_done` AFTER UPDATE OF `done_at` ON `lesson_marks`
WHEN (OLD.done_at IS NULL) <> (NEW.done_at IS NULL)
BEGIN
  UPDATE lesson_counts SET done = done + CASE WHEN NEW.done_at IS NULL THEN -1 ELSE 1 END
    WHERE cohort_id = NEW.cohort_id AND lesson_id = NEW.lesson_id;
  UPDATE learning SET done = done + CASE WHEN NEW.done_at IS NULL THEN -1 ELSE 1 END
    WHERE enrollment_id = NEW.enrollment_id
    AND EXISTS (SELECT 1 FROM lessons l JOIN cohorts c ON c.id = NEW.cohort_id AND c.course_id = l.course_id
      WHERE l.id = NEW.lesson_id AND l.published_at IS NOT NULL AND l.deleted_at IS NULL);
END;--> statement-breakpoint
CREATE TRIGGER `lesson_marks_count_on_move` AFTER UPDATE OF `cohort_id` ON `lesson_marks`
WHEN OLD.cohort_id <> NEW.cohort_id
BEGIN
  UPDATE lesson_counts SET opened = opened - 1, done = done - (OLD.done_at IS NOT NULL)
    WHERE cohort_id = OLD.cohort_id AND lesson_id = OLD.lesson_id;
  INSERT INTO lesson_counts (cohort_id, lesson_id, owner_id, opened, done)
    VALUES (NEW.cohort_id, NEW.lesson_id, NEW.owner_id, 1, NEW.done_at IS NOT NULL)
    ON CONFLICT (cohort_id, lesson_id) DO UPDATE SET opened = opened + 1, done = done + excluded.done;
END;--> statement-breakpoint
CREATE TRIGGER `lesson_marks_count_on_delete` AFTER DELETE ON `lesson_marks`
BEGIN
  UPDATE lesson_counts SET opened = opened - 1, done = done - (OLD.done_at IS NOT NULL)
    WHERE cohort_id = OLD.cohort_id AND lesson_id = OLD.lesson_id;
  UPDATE learning SET done = done - 1 WHERE enrollment_id = OLD.enrollment_id AND OLD.done_at IS NOT NULL
    AND EXISTS (SELECT 1 FROM lessons l JOIN cohorts c ON c.id = OLD.cohort_id AND c.course_id = l.course_id
      WHERE l.id = OLD.lesson_id AND l.published_at IS NOT NULL AND l.deleted_at IS NULL);
END;--> statement-breakpoint
-- Only lessons that learners see count for how far they are.
CREATE TRIGGER `lessons_count_done` AFTER UPDATE OF `published_at`, `deleted_at` ON `lessons`
WHEN (OLD.published_at IS NOT NULL AND OLD.deleted_at IS NULL) <> (NEW.published_at IS NOT NULL AND NEW.deleted_at IS NULL)
BEGIN
  UPDATE learning SET done = done + CASE WHEN NEW.published_at IS NOT NULL AND NEW.deleted_at IS NULL THEN 1 ELSE -1 END
    WHERE enrollment_id IN (SELECT m.enrollment_id FROM lesson_marks m
      JOIN cohorts c ON c.id = m.cohort_id AND c.course_id = NEW.course_id
      WHERE m.owner_id = NEW.owner_id AND m.lesson_id = NEW.id AND m.done_at IS NOT NULL);
END;--> statement-breakpoint
-- Before, because the marks of a lesson that is gone no longer know whether it was published.
CREATE TRIGGER `lessons_count_done_on_delete` BEFORE DELETE ON `lessons`
WHEN OLD.published_at IS NOT NULL AND OLD.deleted_at IS NULL
BEGIN
  UPDATE learning SET done = done - 1
    WHERE enrollment_id IN (SELECT m.enrollment_id FROM lesson_marks m
      JOIN cohorts c ON c.id = m.cohort_id AND c.course_id = OLD.course_id
      WHERE m.owner_id = OLD.owner_id AND m.lesson_id = OLD.id AND m.done_at IS NOT NULL);
END;
