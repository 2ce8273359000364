-- Which user acted. The triggers are by hand, because D1 cannot alter one. They take the user only where the owner
-- has acted: all others leave the column of the enrollment as it was, and so does the worker from before.
ALTER TABLE `group_messages` ADD `created_by_user_id` text;--> statement-breakpoint
ALTER TABLE `ledger_entries` ADD `created_by_user_id` text;--> statement-breakpoint
ALTER TABLE `enrollment_events` ADD `actor_user_id` text;--> statement-breakpoint
ALTER TABLE `enrollments` ADD `changed_by_user_id` text;--> statement-breakpoint
DROP TRIGGER `enrollments_history_on_insert`;--> statement-breakpoint
CREATE TRIGGER `enrollments_history_on_insert` AFTER INSERT ON `enrollments`
BEGIN
  INSERT INTO enrollment_events (owner_id, enrollment_id, at, actor, from_status, to_status, actor_user_id)
    VALUES (NEW.owner_id, NEW.id, NEW.status_changed_at, NEW.changed_by, NULL, NEW.status,
      CASE NEW.changed_by WHEN 'owner' THEN NEW.changed_by_user_id END);
END;--> statement-breakpoint
DROP TRIGGER `enrollments_history_on_update`;--> statement-breakpoint
CREATE TRIGGER `enrollments_history_on_update` AFTER UPDATE OF `status` ON `enrollments`
WHEN OLD.status <> NEW.status
BEGIN
  INSERT INTO enrollment_events (owner_id, enrollment_id, at, actor, from_status, to_status, actor_user_id)
    VALUES (NEW.owner_id, NEW.id, NEW.status_changed_at, NEW.changed_by, OLD.status, NEW.status,
      CASE NEW.changed_by WHEN 'owner' THEN NEW.changed_by_user_id END);
END;--> statement-breakpoint
DROP TRIGGER `enrollments_history_on_move`;--> statement-breakpoint
CREATE TRIGGER `enrollments_history_on_move` AFTER UPDATE OF `cohort_id` ON `enrollments`
WHEN OLD.cohort_id <> NEW.cohort_id
BEGIN
  INSERT INTO enrollment_events (owner_id, enrollment_id, at, actor, from_status, to_status, moved_from, actor_user_id)
    VALUES (NEW.owner_id, NEW.id, NEW.status_changed_at, NEW.changed_by, OLD.status, NEW.status,
      (SELECT name FROM cohorts WHERE id = OLD.cohort_id),
      CASE NEW.changed_by WHEN 'owner' THEN NEW.changed_by_user_id END);
END;--> statement-breakpoint
DROP TRIGGER `enrollments_charge_on_insert`;--> statement-breakpoint
CREATE TRIGGER `enrollments_charge_on_insert` AFTER INSERT ON `enrollments`
WHEN NEW.status = 'enrolled' AND (SELECT price_minor FROM cohorts WHERE id = NEW.cohort_id) > 0
BEGIN
  INSERT INTO ledger_entries (id, owner_id, course_id, course_name, cohort_id, cohort_name, person_id, enrollment_id,
      kind, amount_minor, currency, source, created_by, created_at, created_by_user_id)
    SELECT lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2) || '-8'
        || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6))), c.owner_id, c.course_id, k.name, c.id, c.name, NEW.person_id, NEW.id,
      'charge', c.price_minor, c.currency, 'enrollment', NEW.changed_by, NEW.status_changed_at,
      CASE NEW.changed_by WHEN 'owner' THEN NEW.changed_by_user_id END
    FROM cohorts c JOIN courses k ON k.id = c.course_id WHERE c.id = NEW.cohort_id;
END;--> statement-breakpoint
DROP TRIGGER `enrollments_charge_on_update`;--> statement-breakpoint
CREATE TRIGGER `enrollments_charge_on_update` AFTER UPDATE OF `status` ON `enrollments`
WHEN NEW.status = 'enrolled' AND OLD.status <> 'enrolled'
 AND (SELECT price_minor FROM cohorts WHERE id = NEW.cohort_id) > 0
 AND NOT EXISTS (SELECT 1 FROM ledger_entries x WHERE x.enrollment_id = NEW.id AND x.kind = 'charge'
   AND x.reverses_id IS NULL AND NOT EXISTS (SELECT 1 FROM ledger_entries r WHERE r.reverses_id = x.id))
BEGIN
  INSERT INTO ledger_entries (id, owner_id, course_id, course_name, cohort_id, cohort_name, person_id, enrollment_id,
      kind, amount_minor, currency, source, created_by, created_at, created_by_user_id)
    SELECT lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2) || '-8'
        || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6))), c.owner_id, c.course_id, k.name, c.id, c.name, NEW.person_id, NEW.id,
      'charge', c.price_minor, c.currency, 'enrollment', NEW.changed_by, NEW.status_changed_at,
      CASE NEW.changed_by WHEN 'owner' THEN NEW.changed_by_user_id END
    FROM cohorts c JOIN courses k ON k.id = c.course_id WHERE c.id = NEW.cohort_id;
END;--> statement-breakpoint
DROP TRIGGER `enrollments_move_account`;--> statement-breakpoint
-- Who is moved to another cohort owes its price. What they have paid goes with them, unless it is another currency.
CREATE TRIGGER `enrollments_move_account` AFTER UPDATE OF `cohort_id` ON `enrollments`
WHEN OLD.cohort_id <> NEW.cohort_id
BEGIN
  INSERT INTO ledger_entries (id, owner_id, course_id, course_name, cohort_id, cohort_name, person_id, enrollment_id,
      kind, amount_minor, currency, method, received_on, source, created_by, created_at, created_by_user_id)
    SELECT lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2) || '-8'
        || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6))), c.owner_id, c.course_id, k.name, c.id, c.name, NEW.person_id, NEW.id,
      x.kind, x.amount_minor, x.currency, x.method, x.received_on, 'move', NEW.changed_by, NEW.status_changed_at,
      CASE NEW.changed_by WHEN 'owner' THEN NEW.changed_by_user_id END
    FROM ledger_entries x JOIN cohorts c ON c.id = NEW.cohort_id AND c.currency = x.currency
      JOIN courses k ON k.id = c.course_id
    WHERE x.enrollment_id = NEW.id AND x.cohort_id = OLD.cohort_id AND x.kind IN ('payment', 'refund')
      AND x.reverses_id IS NULL AND NOT EXISTS (SELECT 1 FROM ledger_entries r WHERE r.reverses_id = x.id);
  -- All that was waived becomes one entry, for as much of the price as that money leaves.
  INSERT INTO ledger_entries (id, owner_id, course_id, course_name, cohort_id, cohort_name, person_id, enrollment_id,
      kind, amount_minor, currency, source, created_by, created_at, created_by_user_id)
    SELECT lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2) || '-8'
        || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6))), c.owner_id, c.course_id, k.name, c.id, c.name, NEW.person_id, NEW.id,
      'waiver', -min(w.waived, w.owed), c.currency, 'move', NEW.changed_by, NEW.status_changed_at,
      CASE NEW.changed_by WHEN 'owner' THEN NEW.changed_by_user_id END
    FROM cohorts c JOIN courses k ON k.id = c.course_id JOIN (SELECT
        (SELECT coalesce(-sum(x.amount_minor), 0) FROM ledger_entries x JOIN cohorts n ON n.id = NEW.cohort_id AND n.currency = x.currency
          WHERE x.enrollment_id = NEW.id AND x.cohort_id = OLD.cohort_id AND x.kind = 'waiver'
            AND x.reverses_id IS NULL AND NOT EXISTS (SELECT 1 FROM ledger_entries r WHERE r.reverses_id = x.id)) AS waived,
        (SELECT coalesce(sum(x.amount_minor), 0) FROM ledger_entries x
          WHERE x.enrollment_id = NEW.id AND x.cohort_id = NEW.cohort_id)
        + coalesce((SELECT n.price_minor FROM cohorts n WHERE n.id = NEW.cohort_id AND NEW.status = 'enrolled'), 0) AS owed) w
    WHERE c.id = NEW.cohort_id AND w.waived > 0 AND w.owed > 0;
  INSERT INTO ledger_entries (id, owner_id, course_id, course_name, cohort_id, cohort_name, person_id, enrollment_id,
      kind, amount_minor, currency, method, received_on, reverses_id, source, created_by, created_at, created_by_user_id)
    SELECT lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2) || '-8'
        || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6))), x.owner_id, x.course_id, x.course_name, x.cohort_id, x.cohort_name, x.person_id, x.enrollment_id,
      x.kind, -x.amount_minor, x.currency, x.method, x.received_on, x.id, 'move', NEW.changed_by, NEW.status_changed_at,
      CASE NEW.changed_by WHEN 'owner' THEN NEW.changed_by_user_id END
    FROM ledger_entries x JOIN cohorts c ON c.id = NEW.cohort_id
    WHERE x.enrollment_id = NEW.id AND x.cohort_id = OLD.cohort_id AND x.reverses_id IS NULL
      AND (x.kind = 'charge' OR c.currency = x.currency)
      AND NOT EXISTS (SELECT 1 FROM ledger_entries r WHERE r.reverses_id = x.id);
  INSERT INTO ledger_entries (id, owner_id, course_id, course_name, cohort_id, cohort_name, person_id, enrollment_id,
      kind, amount_minor, currency, source, created_by, created_at, created_by_user_id)
    SELECT lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2) || '-8'
        || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6))), c.owner_id, c.course_id, k.name, c.id, c.name, NEW.person_id, NEW.id,
      'charge', c.price_minor, c.currency, 'enrollment', NEW.changed_by, NEW.status_changed_at,
      CASE NEW.changed_by WHEN 'owner' THEN NEW.changed_by_user_id END
    FROM cohorts c JOIN courses k ON k.id = c.course_id
    WHERE c.id = NEW.cohort_id AND c.price_minor > 0 AND NEW.status = 'enrolled';
END;