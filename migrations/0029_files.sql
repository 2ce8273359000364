CREATE TABLE `files` (
	`id` text PRIMARY KEY NOT NULL,
	`owner_id` text NOT NULL,
	`course_id` text NOT NULL,
	`key` text NOT NULL,
	`object_key` text NOT NULL,
	`name` text NOT NULL,
	`content_type` text NOT NULL,
	`size` integer NOT NULL,
	`width` integer,
	`height` integer,
	`upload_id` text,
	`parts` text,
	`uses` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`owner_id`,`course_id`) REFERENCES `courses`(`owner_id`,`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `files_object_index` ON `files` (`object_key`);--> statement-breakpoint
CREATE INDEX `files_owner_index` ON `files` (`owner_id`,`object_key`,`size`);--> statement-breakpoint
CREATE INDEX `files_upload_index` ON `files` (`created_at`) WHERE "files"."upload_id" IS NOT NULL;--> statement-breakpoint
CREATE INDEX `files_unused_index` ON `files` (`created_at`) WHERE "files"."uses" = 0;--> statement-breakpoint
CREATE UNIQUE INDEX `files_owner_id_id_unique` ON `files` (`owner_id`,`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `files_key_unique` ON `files` (`owner_id`,`course_id`,`key`);--> statement-breakpoint
CREATE TABLE `lesson_files` (
	`lesson_id` text NOT NULL,
	`file_id` text NOT NULL,
	`owner_id` text NOT NULL,
	PRIMARY KEY(`lesson_id`, `file_id`),
	FOREIGN KEY (`owner_id`,`lesson_id`) REFERENCES `lessons`(`owner_id`,`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`owner_id`,`file_id`) REFERENCES `files`(`owner_id`,`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `lesson_files_lesson_index` ON `lesson_files` (`owner_id`,`lesson_id`);--> statement-breakpoint
CREATE INDEX `lesson_files_file_index` ON `lesson_files` (`owner_id`,`file_id`);--> statement-breakpoint
CREATE TABLE `objects_gone` (
	`object_key` text PRIMARY KEY NOT NULL,
	`upload_id` text,
	`delete_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `objects_gone_delete_at_index` ON `objects_gone` (`delete_at`);--> statement-breakpoint
ALTER TABLE `courses` ADD `picture` text;--> statement-breakpoint
CREATE INDEX `courses_picture_index` ON `courses` (`picture`) WHERE "courses"."picture" IS NOT NULL;--> statement-breakpoint
CREATE TRIGGER files_delete AFTER DELETE ON files
WHEN NOT EXISTS (SELECT 1 FROM files f WHERE f.object_key = OLD.object_key)
BEGIN
  INSERT INTO objects_gone (object_key, upload_id, delete_at)
  VALUES (OLD.object_key, OLD.upload_id, 0) ON CONFLICT DO NOTHING;
END;
--> statement-breakpoint
CREATE TRIGGER courses_picture_update AFTER UPDATE OF picture ON courses
WHEN OLD.picture IS NOT NULL AND NOT EXISTS (SELECT 1 FROM courses c WHERE c.picture = OLD.picture)
BEGIN
  INSERT INTO objects_gone (object_key, delete_at) VALUES (OLD.picture, 0) ON CONFLICT DO NOTHING;
END;
--> statement-breakpoint
CREATE TRIGGER courses_picture_delete AFTER DELETE ON courses
WHEN OLD.picture IS NOT NULL AND NOT EXISTS (SELECT 1 FROM courses c WHERE c.picture = OLD.picture)
BEGIN
  INSERT INTO objects_gone (object_key, delete_at) VALUES (OLD.picture, 0) ON CONFLICT DO NOTHING;
END;
--> statement-breakpoint
CREATE TRIGGER users_photo_update AFTER UPDATE OF avatar_url ON users
WHEN OLD.avatar_url LIKE '/pictures/%' AND OLD.avatar_url IS NOT NEW.avatar_url
BEGIN
  INSERT INTO objects_gone (object_key, delete_at) VALUES (substr(OLD.avatar_url, 2), 0) ON CONFLICT DO NOTHING;
END;
--> statement-breakpoint
CREATE TRIGGER users_photo_delete AFTER DELETE ON users
WHEN OLD.avatar_url LIKE '/pictures/%'
BEGIN
  INSERT INTO objects_gone (object_key, delete_at) VALUES (substr(OLD.avatar_url, 2), 0) ON CONFLICT DO NOTHING;
END;
--> statement-breakpoint
CREATE TRIGGER lesson_files_insert AFTER INSERT ON lesson_files
BEGIN
  UPDATE files SET uses = uses + 1 WHERE id = NEW.file_id;
END;
--> statement-breakpoint
CREATE TRIGGER lesson_files_delete AFTER DELETE ON lesson_files
BEGIN
  UPDATE files SET uses = uses - 1 WHERE id = OLD.file_id;
END;
--> statement-breakpoint
CREATE TRIGGER lessons_files_insert AFTER INSERT ON lessons
WHEN instr(NEW.document, '"file":"') > 0
BEGIN
  INSERT INTO lesson_files (lesson_id, file_id, owner_id)
  SELECT NEW.id, f.id, NEW.owner_id FROM json_tree(NEW.document) j
    JOIN files f ON f.owner_id = NEW.owner_id AND f.course_id = NEW.course_id AND f.key = j.value
  WHERE j.key = 'file' AND j.type = 'text'
  ON CONFLICT DO NOTHING;
END;
--> statement-breakpoint
CREATE TRIGGER lessons_files_update AFTER UPDATE OF document ON lessons
WHEN instr(NEW.document, '"file":"') > 0
BEGIN
  INSERT INTO lesson_files (lesson_id, file_id, owner_id)
  SELECT NEW.id, f.id, NEW.owner_id FROM json_tree(NEW.document) j
    JOIN files f ON f.owner_id = NEW.owner_id AND f.course_id = NEW.course_id AND f.key = j.value
  WHERE j.key = 'file' AND j.type = 'text'
  ON CONFLICT DO NOTHING;
END;
--> statement-breakpoint
CREATE TRIGGER lesson_versions_files_insert AFTER INSERT ON lesson_versions
WHEN instr(NEW.document, '"file":"') > 0
BEGIN
  INSERT INTO lesson_files (lesson_id, file_id, owner_id)
  SELECT NEW.lesson_id, f.id, NEW.owner_id FROM lessons l, json_tree(NEW.document) j
    JOIN files f ON f.owner_id = NEW.owner_id AND f.course_id = l.course_id AND f.key = j.value
  WHERE l.id = NEW.lesson_id AND j.key = 'file' AND j.type = 'text'
  ON CONFLICT DO NOTHING;
END;
