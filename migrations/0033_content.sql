ALTER TABLE `cohorts` ADD `closed_by_type` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `cohorts` ADD `completions_due` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `learning` ADD `taken_back` integer DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX `cohorts_completions_due_index` ON `cohorts` (`completions_due`) WHERE "cohorts"."completions_due" = 1;--> statement-breakpoint
CREATE INDEX `learning_done_index` ON `learning` (`cohort_id`,`done`) WHERE "learning"."standing" <> 'completed';--> statement-breakpoint
-- Enrollment in an open run is closed while its course is taught in cohorts, whatever its owner has
-- said of it. Of those that are closed now, no one knows by whom: they stay so.
UPDATE `cohorts` SET `closed_by_type` = 1 WHERE `kind` = 'open'
  AND (SELECT k.course_type FROM courses k WHERE k.id = cohorts.course_id) = 'cohort';--> statement-breakpoint
CREATE TRIGGER `courses_close_open_run` AFTER UPDATE OF `course_type` ON `courses`
WHEN OLD.course_type <> NEW.course_type
BEGIN
  UPDATE cohorts SET closed_by_type = NEW.course_type = 'cohort'
    WHERE owner_id = NEW.owner_id AND course_id = NEW.id AND kind = 'open';
END;--> statement-breakpoint
-- Whoever has done all that is left of a course has completed it, once all of that is open: the clock
-- looks again when a lesson is taken from learners or gets another section, when more is open to
-- someone, and when someone comes who has done some.
UPDATE `cohorts` SET `completions_due` = 1 WHERE `kind` = 'open';--> statement-breakpoint
CREATE TRIGGER `lessons_complete_again` AFTER UPDATE OF `published_at`, `deleted_at`, `section_id` ON `lessons`
WHEN OLD.published_at IS NOT NULL AND OLD.deleted_at IS NULL
  AND (NEW.published_at IS NULL OR NEW.deleted_at IS NOT NULL OR NEW.section_id <> OLD.section_id)
BEGIN
  UPDATE cohorts SET completions_due = 1
    WHERE owner_id = NEW.owner_id AND course_id = NEW.course_id AND kind = 'open';
END;--> statement-breakpoint
CREATE TRIGGER `learning_complete_again` AFTER UPDATE OF `next_release_at` ON `learning`
WHEN NEW.standing <> 'completed' AND NEW.done > 0 AND OLD.next_release_at IS NOT NEW.next_release_at
  AND (NEW.next_release_at IS NULL OR NEW.next_release_at > 0)
BEGIN
  UPDATE cohorts SET completions_due = 1 WHERE id = NEW.cohort_id AND completions_due = 0;
END;--> statement-breakpoint
CREATE TRIGGER `enrollments_complete_again` AFTER UPDATE OF `status`, `cohort_id` ON `enrollments`
WHEN NEW.status = 'enrolled' AND NEW.completed_at IS NULL
  AND (OLD.status <> 'enrolled' OR OLD.cohort_id <> NEW.cohort_id)
  AND EXISTS (SELECT 1 FROM lesson_marks m WHERE m.enrollment_id = NEW.id AND m.done_at IS NOT NULL)
BEGIN
  UPDATE cohorts SET completions_due = 1 WHERE id = NEW.cohort_id AND kind = 'open';
END;--> statement-breakpoint
CREATE TRIGGER `enrollments_take_completion_back` AFTER UPDATE OF `completed_at` ON `enrollments`
WHEN OLD.completed_at IS NOT NULL AND NEW.completed_at IS NULL
  AND OLD.status = 'enrolled' AND NEW.status = 'enrolled' AND NEW.cohort_id = OLD.cohort_id
BEGIN
  UPDATE learning SET taken_back = 1 WHERE enrollment_id = NEW.id;
END;
