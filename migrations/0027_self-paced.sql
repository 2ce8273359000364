CREATE TABLE `run_counts` (
	`cohort_id` text NOT NULL,
	`standing` text NOT NULL,
	`owner_id` text NOT NULL,
	`people` integer NOT NULL,
	PRIMARY KEY(`cohort_id`, `standing`),
	FOREIGN KEY (`owner_id`,`cohort_id`) REFERENCES `cohorts`(`owner_id`,`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `run_counts_cohort_index` ON `run_counts` (`owner_id`,`cohort_id`);--> statement-breakpoint
CREATE TABLE `run_days` (
	`cohort_id` text NOT NULL,
	`day` integer NOT NULL,
	`owner_id` text NOT NULL,
	`started` integer DEFAULT 0 NOT NULL,
	`completed` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`cohort_id`, `day`),
	FOREIGN KEY (`owner_id`,`cohort_id`) REFERENCES `cohorts`(`owner_id`,`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `run_days_cohort_index` ON `run_days` (`owner_id`,`cohort_id`);--> statement-breakpoint
ALTER TABLE `cohorts` ADD `kind` text DEFAULT 'dated' NOT NULL;--> statement-breakpoint
ALTER TABLE `cohorts` ADD `announces_releases` integer DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE `cohorts` ADD `sends_nudges` integer DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE `cohorts` ADD `access_days` integer;--> statement-breakpoint
CREATE UNIQUE INDEX `cohorts_open_run_unique` ON `cohorts` (`owner_id`,`course_id`) WHERE "cohorts"."kind" = 'open';--> statement-breakpoint
ALTER TABLE `learning` ADD `announced_at` integer;--> statement-breakpoint
ALTER TABLE `learning` ADD `standing` text;--> statement-breakpoint
ALTER TABLE `learning` ADD `quiet_at` integer;--> statement-breakpoint
CREATE INDEX `learning_standing_index` ON `learning` (`cohort_id`,`standing`,`quiet_at`);--> statement-breakpoint
CREATE INDEX `learning_quiet_index` ON `learning` (`quiet_at`) WHERE "learning"."standing" = 'under_way';--> statement-breakpoint
CREATE INDEX `enrollments_completed_index` ON `enrollments` (`cohort_id`,`completed_at`) WHERE "enrollments"."completed_at" IS NOT NULL;--> statement-breakpoint
CREATE INDEX `enrollment_events_answers_index` ON `enrollment_events` (`owner_id`) WHERE "enrollment_events"."actor" = 'person' AND "enrollment_events"."from_status" = 'invited';--> statement-breakpoint
-- The triggers are by hand, because drizzle-kit writes none.
-- An open run has the name of its course.
CREATE TRIGGER `courses_name_open_run` AFTER UPDATE OF `name` ON `courses`
WHEN OLD.name <> NEW.name
BEGIN
  UPDATE cohorts SET name = NEW.name
    WHERE owner_id = NEW.owner_id AND course_id = NEW.id AND kind = 'open';
END;--> statement-breakpoint
CREATE TRIGGER `learning_begin` AFTER INSERT ON `learning`
BEGIN
  UPDATE learning SET next_release_at = 0 WHERE enrollment_id = NEW.enrollment_id
    AND EXISTS (SELECT 1 FROM cohorts c JOIN sections s ON s.owner_id = c.owner_id AND s.course_id = c.course_id
      WHERE c.id = NEW.cohort_id AND (s.release_days IS NOT NULL
        OR EXISTS (SELECT 1 FROM cohort_sections o WHERE o.cohort_id = c.id AND o.section_id = s.id)));
  UPDATE learning SET standing = 'under_way', quiet_at = NEW.started_at + 604800000,
      nudge_due_at = NEW.started_at + 604800000
    WHERE enrollment_id = NEW.enrollment_id
      AND (SELECT c.kind FROM cohorts c WHERE c.id = NEW.cohort_id) = 'open';
  INSERT INTO run_days (cohort_id, day, owner_id, started)
    SELECT c.id, NEW.started_at / 86400000, c.owner_id, 1 FROM cohorts c
      WHERE c.id = NEW.cohort_id AND c.kind = 'open'
    ON CONFLICT (cohort_id, day) DO UPDATE SET started = started + 1;
END;--> statement-breakpoint
-- Whoever comes back is under way again; after a second reminder, there is no third.
CREATE TRIGGER `learning_go_on` AFTER UPDATE OF `last_seen_at` ON `learning`
WHEN NEW.standing <> 'completed' AND NEW.last_seen_at IS NOT NULL
BEGIN
  UPDATE learning SET standing = 'under_way', quiet_at = NEW.last_seen_at + 1209600000,
      nudge_due_at = NEW.last_seen_at + CASE NEW.nudges WHEN 0 THEN 604800000 WHEN 1 THEN 1814400000 END
    WHERE enrollment_id = NEW.enrollment_id;
END;--> statement-breakpoint
CREATE TRIGGER `enrollments_stand` AFTER UPDATE OF `status`, `completed_at`, `cohort_id` ON `enrollments`
WHEN OLD.status <> NEW.status OR (OLD.completed_at IS NULL) <> (NEW.completed_at IS NULL)
  OR OLD.cohort_id <> NEW.cohort_id
BEGIN
  UPDATE learning SET (standing, quiet_at, nudge_due_at) = (SELECT
      CASE WHEN NEW.completed_at IS NULL THEN 'under_way' ELSE 'completed' END,
      CASE WHEN NEW.completed_at IS NULL
        THEN max(NEW.status_changed_at + 604800000, coalesce(learning.last_seen_at, 0) + 1209600000) END,
      CASE WHEN NEW.completed_at IS NULL
        THEN max(NEW.status_changed_at, coalesce(learning.last_seen_at, learning.started_at))
          + CASE learning.nudges WHEN 0 THEN 604800000 WHEN 1 THEN 1814400000 END END
      FROM cohorts c WHERE c.id = NEW.cohort_id AND c.kind = 'open' AND NEW.status = 'enrolled')
    WHERE enrollment_id = NEW.id AND (standing IS NOT NULL
      OR (SELECT c.kind FROM cohorts c WHERE c.id = NEW.cohort_id) = 'open');
  UPDATE learning SET next_release_at = -coalesce(abs(next_release_at), 0)
    WHERE enrollment_id = NEW.id AND NEW.status = 'enrolled'
      AND (OLD.status <> 'enrolled' OR OLD.cohort_id <> NEW.cohort_id)
      AND (next_release_at IS NOT NULL OR EXISTS (SELECT 1 FROM cohorts c
        JOIN sections s ON s.owner_id = c.owner_id AND s.course_id = c.course_id
        WHERE c.id = NEW.cohort_id AND (s.release_days IS NOT NULL
          OR EXISTS (SELECT 1 FROM cohort_sections o WHERE o.cohort_id = c.id AND o.section_id = s.id))));
END;--> statement-breakpoint
-- Who leaves or is moved elsewhere has completed it none the less.
CREATE TRIGGER `enrollments_count_completed` AFTER UPDATE OF `completed_at` ON `enrollments`
WHEN NEW.status = 'enrolled' AND OLD.cohort_id = NEW.cohort_id AND (OLD.completed_at IS NULL) <> (NEW.completed_at IS NULL)
BEGIN
  INSERT INTO run_days (cohort_id, day, owner_id, completed)
    SELECT c.id, coalesce(NEW.completed_at, OLD.completed_at) / 86400000, c.owner_id, NEW.completed_at IS NOT NULL
      FROM cohorts c WHERE c.id = NEW.cohort_id AND c.kind = 'open'
    ON CONFLICT (cohort_id, day) DO UPDATE
      SET completed = max(0, completed + CASE WHEN NEW.completed_at IS NULL THEN -1 ELSE 1 END);
END;--> statement-breakpoint
CREATE TRIGGER `learning_count_standing` AFTER UPDATE OF `standing`, `cohort_id` ON `learning`
WHEN OLD.standing IS NOT NEW.standing OR OLD.cohort_id <> NEW.cohort_id
BEGIN
  UPDATE run_counts SET people = people - 1
    WHERE cohort_id = OLD.cohort_id AND standing = OLD.standing;
  INSERT INTO run_counts (cohort_id, standing, owner_id, people)
    SELECT c.id, NEW.standing, c.owner_id, 1 FROM cohorts c
      WHERE c.id = NEW.cohort_id AND c.kind = 'open' AND NEW.standing IS NOT NULL
    ON CONFLICT (cohort_id, standing) DO UPDATE SET people = people + 1;
END;--> statement-breakpoint
CREATE TRIGGER `learning_count_gone` AFTER DELETE ON `learning`
WHEN OLD.standing IS NOT NULL
BEGIN
  UPDATE run_counts SET people = people - 1
    WHERE cohort_id = OLD.cohort_id AND standing = OLD.standing;
END;--> statement-breakpoint
-- What may open something sooner makes the clock look again. What was due by then stays due; what
-- opens later, or no more, is seen when it would have been.
CREATE TRIGGER `sections_release_again` AFTER UPDATE OF `release_days` ON `sections`
WHEN OLD.release_days IS NOT NEW.release_days
BEGIN
  UPDATE learning SET next_release_at = -coalesce(abs(next_release_at), 0)
    WHERE cohort_id IN (SELECT id FROM cohorts WHERE owner_id = NEW.owner_id AND course_id = NEW.course_id);
END;--> statement-breakpoint
CREATE TRIGGER `lessons_release_again` AFTER UPDATE OF `published_at`, `deleted_at`, `section_id` ON `lessons`
WHEN NEW.published_at IS NOT NULL AND NEW.deleted_at IS NULL
  AND (OLD.published_at IS NULL OR OLD.deleted_at IS NOT NULL OR OLD.section_id <> NEW.section_id)
  AND NOT EXISTS (SELECT 1 FROM lessons l WHERE l.owner_id = NEW.owner_id AND l.section_id = NEW.section_id
    AND l.id <> NEW.id AND l.published_at IS NOT NULL AND l.deleted_at IS NULL)
BEGIN
  UPDATE learning SET next_release_at = -coalesce(abs(next_release_at), 0)
    WHERE cohort_id IN (SELECT c.id FROM sections s
        JOIN cohorts c ON c.owner_id = s.owner_id AND c.course_id = s.course_id
      WHERE s.id = NEW.section_id AND (s.release_days IS NOT NULL OR EXISTS (SELECT 1 FROM cohort_sections o
        WHERE o.cohort_id = c.id AND o.section_id = s.id)));
END;--> statement-breakpoint
CREATE TRIGGER `cohorts_release_again` AFTER UPDATE OF `starts_at` ON `cohorts`
WHEN OLD.starts_at <> NEW.starts_at
BEGIN
  UPDATE learning SET next_release_at = -coalesce(abs(next_release_at), 0)
    WHERE cohort_id = NEW.id AND EXISTS (SELECT 1 FROM sections s WHERE s.owner_id = NEW.owner_id
      AND s.course_id = NEW.course_id AND s.release_days IS NOT NULL);
END;--> statement-breakpoint
CREATE TRIGGER `cohort_sections_release_on_insert` AFTER INSERT ON `cohort_sections`
BEGIN
  UPDATE learning SET next_release_at = -coalesce(abs(next_release_at), 0) WHERE cohort_id = NEW.cohort_id;
END;--> statement-breakpoint
CREATE TRIGGER `cohort_sections_release_on_update` AFTER UPDATE ON `cohort_sections`
BEGIN
  UPDATE learning SET next_release_at = -coalesce(abs(next_release_at), 0) WHERE cohort_id = NEW.cohort_id;
END;--> statement-breakpoint
CREATE TRIGGER `cohort_sections_release_on_delete` AFTER DELETE ON `cohort_sections`
BEGIN
  UPDATE learning SET next_release_at = -coalesce(abs(next_release_at), 0) WHERE cohort_id = OLD.cohort_id;
END;--> statement-breakpoint
CREATE TRIGGER `meetings_release_again` AFTER UPDATE OF `starts_at`, `duration_minutes`, `cancelled_at` ON `meetings`
WHEN EXISTS (SELECT 1 FROM cohort_sections o WHERE o.meeting_id = NEW.id)
BEGIN
  UPDATE learning SET next_release_at = -coalesce(abs(next_release_at), 0) WHERE cohort_id = NEW.cohort_id;
END;
