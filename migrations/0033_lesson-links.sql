-- What links of its course call a lesson that was copied or imported: expand only.
ALTER TABLE `lessons` ADD `link_key` text;
--> statement-breakpoint
CREATE INDEX `lessons_link_key_index` ON `lessons` (`owner_id`,`course_id`,`link_key`,`id`) WHERE "lessons"."link_key" IS NOT NULL;
