ALTER TABLE `cohorts` ADD `question` text;--> statement-breakpoint
ALTER TABLE `enrollment_requests` ADD `question` text;--> statement-breakpoint
ALTER TABLE `enrollment_requests` ADD `answer` text;--> statement-breakpoint
ALTER TABLE `enrollments` ADD `question` text;--> statement-breakpoint
ALTER TABLE `enrollments` ADD `answer` text;--> statement-breakpoint
-- By hand from here: courses whose first cohort was published before courses had addresses.
UPDATE courses SET slug = 'course-' || lower(hex(randomblob(6)))
WHERE slug IS NULL AND EXISTS (SELECT 1 FROM cohorts c
  WHERE c.owner_id = courses.owner_id AND c.course_id = courses.id AND c.published_at IS NOT NULL);
