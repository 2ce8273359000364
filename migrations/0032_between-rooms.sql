-- What a place is held for, from when access counts, and when someone said that they take part.
ALTER TABLE `enrollments` ADD `held_for` text;--> statement-breakpoint
ALTER TABLE `learning` ADD `access_from` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `people` ADD `agreed_at` integer;--> statement-breakpoint
ALTER TABLE `cohorts` ADD `money_kept_at` integer;--> statement-breakpoint
CREATE INDEX `checkouts_under_way_index` ON `checkouts` (`cohort_id`) WHERE "checkouts"."status" IN ('open', 'confirming');--> statement-breakpoint
CREATE INDEX `balances_strangers_index` ON `balances` (`cohort_id`,`name_key`,`enrollment_id`) WHERE "balances"."list" = 'owing' AND "balances"."has_agreed" = 0;--> statement-breakpoint
UPDATE enrollments SET held_for = 'checkout' WHERE status = 'offered' AND (changed_by = 'person'
  OR (SELECT v.from_status FROM enrollment_events v WHERE v.owner_id = enrollments.owner_id
    AND v.enrollment_id = enrollments.id ORDER BY v.id DESC LIMIT 1) = 'applied');--> statement-breakpoint
UPDATE learning SET access_from = max(started_at,
  coalesce((SELECT max(v.at) FROM enrollment_events v WHERE v.owner_id = learning.owner_id
    AND v.enrollment_id = learning.enrollment_id AND v.to_status = 'enrolled'), 0),
  coalesce((SELECT max(x.created_at) FROM ledger_entries x WHERE x.enrollment_id = learning.enrollment_id
    AND x.kind = 'charge' AND x.reverses_id IS NULL), 0));--> statement-breakpoint
UPDATE people SET agreed_at = (SELECT max(t.at) FROM (SELECT people.consented_at AS at
  UNION ALL SELECT max(v.at) FROM enrollments y CROSS JOIN enrollment_events v
    ON v.owner_id = y.owner_id AND v.enrollment_id = y.id
    WHERE y.person_id = people.id AND y.owner_id = people.owner_id AND v.actor = 'person'
      AND v.to_status IN ('applied', 'waitlisted', 'offered', 'enrolled')
  UNION ALL SELECT max(o.created_at) FROM checkouts o WHERE o.owner_id = people.owner_id
    AND o.person_id = people.id AND o.status IN ('confirming', 'paid')) t) WHERE erased_at IS NULL;--> statement-breakpoint
-- A payment in another currency can no longer happen. Of an old one, its owner has to look.
UPDATE checkouts SET problem = 'lost' WHERE problem = 'other_currency';--> statement-breakpoint
CREATE VIEW `live_entries` AS SELECT x.rowid AS entry_no, x.* FROM ledger_entries x
  WHERE x.reverses_id IS NULL AND NOT EXISTS (SELECT 1 FROM ledger_entries r WHERE r.reverses_id = x.id);--> statement-breakpoint
-- What is charged for the last access of an account, and what was waived of it on leaving.
CREATE VIEW `last_charges` AS SELECT x.* FROM live_entries x
  WHERE (x.kind = 'charge' OR x.kind = 'waiver' AND x.source = 'leaving') AND NOT EXISTS (SELECT 1 FROM ledger_entries y
    WHERE y.enrollment_id = x.enrollment_id AND y.cohort_id = x.cohort_id AND y.kind = 'charge'
      AND y.reverses_id IS NULL AND y.created_at > x.created_at);--> statement-breakpoint
-- In which currency the money of a cohort is: what it has, and what someone is paying.
CREATE VIEW `used_currencies` AS SELECT c.id AS cohort_id, coalesce(
    (SELECT x.currency FROM ledger_entries x WHERE x.owner_id = c.owner_id AND x.cohort_id = c.id
      ORDER BY x.created_at LIMIT 1),
    (SELECT o.currency FROM checkouts o
      WHERE o.cohort_id = c.id AND o.status IN ('open', 'confirming') LIMIT 1)) AS currency
  FROM cohorts c;--> statement-breakpoint
-- By whom money has come, or can still come: someone may be paying at this moment.
CREATE VIEW `payers` AS SELECT owner_id, person_id, enrollment_id FROM ledger_entries
  UNION ALL SELECT owner_id, person_id, enrollment_id FROM checkouts WHERE status <> 'expired';--> statement-breakpoint
-- Until when someone may read, where that ends: in an open run it counts from the latest enrollment or charge.
CREATE VIEW `access_ends` AS SELECT g.enrollment_id, c.kind,
    CASE c.kind WHEN 'open' THEN g.access_from ELSE c.ends_at END + c.access_days * 86400000 AS ends_at
  FROM learning g JOIN cohorts c ON c.id = g.cohort_id WHERE c.access_days IS NOT NULL;--> statement-breakpoint
-- What a place costs someone who is enrolled: the price of that day, or that of an open page if it is lower; or what
-- was agreed on a page that they have paid, unless it was charged before or some of it has gone back or is about to.
CREATE VIEW `agreed_prices` AS SELECT e.id AS enrollment_id, e.cohort_id, coalesce(e.currency, o.currency) AS currency,
    CASE WHEN o.status = 'paid' AND o.refunded_minor = 0 OR o.price_minor < e.price THEN o.price_minor ELSE e.price END AS amount_minor
  FROM (SELECT x.*, c.currency, CASE WHEN x.status_changed_at < c.early_until_at THEN c.early_price_minor
      ELSE c.price_minor END AS price FROM enrollments x JOIN cohorts c ON c.id = x.cohort_id) e
    LEFT JOIN checkouts o ON o.id = (SELECT p.id FROM checkouts p
      WHERE p.enrollment_id = e.id AND p.cohort_id = e.cohort_id AND p.price_minor IS NOT NULL
        AND p.currency = coalesce(e.currency, p.currency) AND (p.status IN ('open', 'confirming')
          OR p.status = 'paid' AND p.refunded_minor < p.paid_minor AND NOT EXISTS (SELECT 1 FROM ledger_entries x
            WHERE x.enrollment_id = e.id AND x.kind = 'charge' AND x.reverses_id IS NULL AND x.created_at >= p.created_at)
          AND (p.paid_at = e.status_changed_at OR (SELECT coalesce(sum(w.amount_minor), 0) FROM refunds_wanted w
              WHERE w.checkout_id = p.id AND w.done_at IS NULL AND w.failed_at IS NULL)
            < (SELECT b.paid - b.refunded FROM balances b WHERE b.enrollment_id = e.id AND b.cohort_id = e.cohort_id)))
      ORDER BY p.status = 'paid' DESC, p.paid_at DESC LIMIT 1);--> statement-breakpoint
-- The one way in which triggers write entries, by who has just changed the enrollment.
CREATE VIEW `new_entries` AS SELECT enrollment_id, cohort_id, kind, amount_minor, currency, method, method_word,
  received_on, reverses_id, source FROM ledger_entries;--> statement-breakpoint
CREATE TRIGGER `new_entries_insert` INSTEAD OF INSERT ON `new_entries`
BEGIN
  INSERT INTO ledger_entries (id, owner_id, course_id, course_name, cohort_id, cohort_name, person_id, enrollment_id,
      kind, amount_minor, currency, method, method_word, received_on, reverses_id, source, created_by, created_at,
      created_by_user_id)
    SELECT lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2) || '-8'
        || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6))), e.owner_id, c.course_id, k.name, c.id, c.name,
      e.person_id, e.id, NEW.kind, NEW.amount_minor, NEW.currency, NEW.method, NEW.method_word, NEW.received_on,
      NEW.reverses_id, NEW.source, e.changed_by, e.status_changed_at,
      CASE e.changed_by WHEN 'owner' THEN e.changed_by_user_id END
    FROM enrollments e JOIN cohorts c ON c.id = NEW.cohort_id JOIN courses k ON k.id = c.course_id
    WHERE e.id = NEW.enrollment_id;
END;--> statement-breakpoint
DROP TRIGGER `enrollments_charge_on_insert`;--> statement-breakpoint
DROP TRIGGER `enrollments_charge_on_update`;--> statement-breakpoint
DROP TRIGGER `enrollments_return`;--> statement-breakpoint
DROP TRIGGER `enrollments_start_learning_on_insert`;--> statement-breakpoint
DROP TRIGGER `enrollments_start_learning_on_update`;--> statement-breakpoint
DROP TRIGGER `enrollments_move_account`;--> statement-breakpoint
DROP TRIGGER `enrollments_move_learning`;--> statement-breakpoint
DROP TRIGGER `ledger_entries_charge_once`;--> statement-breakpoint
DROP TRIGGER `cohorts_keep_currency`;--> statement-breakpoint
DROP TRIGGER `people_stay_by_money`;--> statement-breakpoint
DROP TRIGGER `people_balance`;--> statement-breakpoint
DROP TRIGGER `enrollment_events_balance`;--> statement-breakpoint
DROP TRIGGER `balances_add_up`;--> statement-breakpoint
DROP TRIGGER `ledger_entries_news`;--> statement-breakpoint
CREATE TRIGGER `enrollments_begin_on_insert` AFTER INSERT ON `enrollments`
WHEN NEW.status = 'enrolled'
BEGIN
  INSERT INTO new_entries (enrollment_id, cohort_id, kind, amount_minor, currency, source)
    SELECT a.enrollment_id, a.cohort_id, 'charge', a.amount_minor, a.currency, 'enrollment'
    FROM agreed_prices a WHERE a.enrollment_id = NEW.id AND a.amount_minor > 0;
  INSERT INTO learning (enrollment_id, owner_id, cohort_id, started_at, access_from)
    VALUES (NEW.id, NEW.owner_id, NEW.cohort_id, NEW.status_changed_at, NEW.status_changed_at);
END;--> statement-breakpoint
-- Who comes back owes again what was waived when they left, and is charged what is agreed now. Once their access is
-- over, what they had is used up: they are charged anew. By themselves they get new access only if they pay for it.
CREATE TRIGGER `enrollments_begin_on_update` AFTER UPDATE OF `status` ON `enrollments`
WHEN NEW.status = 'enrolled' AND OLD.status <> 'enrolled'
BEGIN
  -- What was waived of earlier access stays waived.
  INSERT INTO new_entries (enrollment_id, cohort_id, kind, amount_minor, currency, source)
    SELECT x.enrollment_id, x.cohort_id, 'waiver', sum(x.amount_minor), x.currency, 'enrollment' FROM last_charges x
    WHERE x.enrollment_id = NEW.id AND x.cohort_id = NEW.cohort_id
      AND NOT EXISTS (SELECT 1 FROM access_ends a WHERE a.enrollment_id = NEW.id AND a.kind = 'open'
        AND a.ends_at <= NEW.status_changed_at)
    GROUP BY x.enrollment_id HAVING sum(x.amount_minor) < 0 AND max(x.kind = 'charge');
  INSERT INTO new_entries (enrollment_id, cohort_id, kind, amount_minor, currency, reverses_id, source)
    SELECT x.enrollment_id, x.cohort_id, x.kind, -x.amount_minor, x.currency, x.id, 'enrollment' FROM last_charges x
    WHERE x.enrollment_id = NEW.id AND x.cohort_id = NEW.cohort_id
      AND (x.kind = 'waiver' OR x.source = 'enrollment'
        AND x.amount_minor IS NOT (SELECT a.amount_minor FROM agreed_prices a WHERE a.enrollment_id = NEW.id))
      AND NOT EXISTS (SELECT 1 FROM access_ends a WHERE a.enrollment_id = NEW.id AND a.kind = 'open'
        AND a.ends_at <= NEW.status_changed_at);
  INSERT INTO new_entries (enrollment_id, cohort_id, kind, amount_minor, currency, source)
    SELECT a.enrollment_id, a.cohort_id, 'charge', a.amount_minor, a.currency, 'enrollment'
    FROM agreed_prices a WHERE a.enrollment_id = NEW.id AND a.amount_minor > 0
      AND (NOT EXISTS (SELECT 1 FROM last_charges x WHERE x.enrollment_id = NEW.id AND x.kind = 'charge')
        OR EXISTS (SELECT 1 FROM access_ends s WHERE s.enrollment_id = NEW.id AND s.kind = 'open'
          AND s.ends_at <= NEW.status_changed_at));
  INSERT INTO learning (enrollment_id, owner_id, cohort_id, started_at, access_from)
    VALUES (NEW.id, NEW.owner_id, NEW.cohort_id, NEW.status_changed_at, NEW.status_changed_at)
    ON CONFLICT (enrollment_id) DO UPDATE SET access_from = excluded.access_from
      WHERE NEW.changed_by = 'owner'
        OR EXISTS (SELECT 1 FROM ledger_entries x WHERE x.enrollment_id = NEW.id AND x.kind = 'waiver'
          AND x.reverses_id IS NOT NULL AND x.created_at = NEW.status_changed_at)
        OR EXISTS (SELECT 1 FROM checkouts o WHERE o.enrollment_id = NEW.id
          AND o.paid_at = NEW.status_changed_at AND o.paid_minor >= o.price_minor)
        OR NOT EXISTS (SELECT 1 FROM agreed_prices a WHERE a.enrollment_id = NEW.id AND a.amount_minor > 0);
END;--> statement-breakpoint
CREATE TRIGGER `enrollments_move_account` AFTER UPDATE OF `cohort_id` ON `enrollments`
WHEN OLD.cohort_id <> NEW.cohort_id
BEGIN
  -- A page that is open is one for what they owe there.
  UPDATE checkouts SET (course_id, course_name, cohort_id, cohort_name, price_minor) =
      (SELECT c.course_id, k.name, c.id, c.name, NULL FROM cohorts c JOIN courses k ON k.id = c.course_id
        WHERE c.id = NEW.cohort_id), check_at = min(check_at, NEW.status_changed_at)
    WHERE enrollment_id = NEW.id AND status IN ('open', 'confirming');
  -- A cohort without a currency takes that of the money.
  INSERT INTO new_entries (enrollment_id, cohort_id, kind, amount_minor, currency, method, method_word, received_on, source)
    SELECT NEW.id, c.id, x.kind, x.amount_minor, x.currency, x.method, x.method_word, x.received_on, 'move'
    FROM live_entries x JOIN cohorts c ON c.id = NEW.cohort_id JOIN used_currencies u ON u.cohort_id = c.id
    WHERE x.enrollment_id = NEW.id AND x.cohort_id = OLD.cohort_id AND x.kind IN ('payment', 'refund')
      AND x.currency = coalesce(u.currency, c.currency, x.currency);
  -- What was waived becomes one entry, for as much of the price as that money leaves; not what was of earlier access.
  INSERT INTO new_entries (enrollment_id, cohort_id, kind, amount_minor, currency, source)
    SELECT NEW.id, c.id, 'waiver', -min(w.waived, w.owed), c.currency, 'move'
    FROM cohorts c JOIN (SELECT
        (SELECT coalesce(-sum(x.amount_minor), 0) FROM live_entries x JOIN cohorts n ON n.id = NEW.cohort_id AND n.currency = x.currency
          WHERE x.enrollment_id = NEW.id AND x.cohort_id = OLD.cohort_id AND x.kind = 'waiver'
            AND x.source NOT IN ('enrollment', 'leaving')) AS waived,
        (SELECT coalesce(sum(x.amount_minor), 0) FROM ledger_entries x
          WHERE x.enrollment_id = NEW.id AND x.cohort_id = NEW.cohort_id)
        + coalesce((SELECT a.amount_minor FROM agreed_prices a
          WHERE a.enrollment_id = NEW.id AND NEW.status = 'enrolled'), 0) AS owed) w
    WHERE c.id = NEW.cohort_id AND w.waived > 0 AND w.owed > 0;
  INSERT INTO new_entries (enrollment_id, cohort_id, kind, amount_minor, currency, method, method_word, received_on, reverses_id, source)
    SELECT NEW.id, x.cohort_id, x.kind, -x.amount_minor, x.currency, x.method, x.method_word, x.received_on, x.id, 'move'
    FROM live_entries x JOIN cohorts c ON c.id = NEW.cohort_id JOIN used_currencies u ON u.cohort_id = c.id
    WHERE x.enrollment_id = NEW.id AND x.cohort_id = OLD.cohort_id
      AND (x.kind = 'charge' OR x.currency = coalesce(u.currency, c.currency, x.currency));
  INSERT INTO new_entries (enrollment_id, cohort_id, kind, amount_minor, currency, source)
    SELECT a.enrollment_id, a.cohort_id, 'charge', a.amount_minor, a.currency, 'enrollment'
    FROM agreed_prices a WHERE a.enrollment_id = NEW.id AND NEW.status = 'enrolled' AND a.amount_minor > 0;
END;--> statement-breakpoint
CREATE TRIGGER `enrollments_move_learning` AFTER UPDATE OF `cohort_id` ON `enrollments`
WHEN OLD.cohort_id <> NEW.cohort_id
BEGIN
  UPDATE lesson_marks SET cohort_id = NEW.cohort_id WHERE enrollment_id = NEW.id;
  UPDATE learning SET cohort_id = NEW.cohort_id, access_from = NEW.status_changed_at, done = (SELECT count(*) FROM lesson_marks m
      JOIN lessons l ON l.id = m.lesson_id JOIN cohorts c ON c.id = NEW.cohort_id AND c.course_id = l.course_id
      WHERE m.enrollment_id = NEW.id AND m.done_at IS NOT NULL
        AND l.published_at IS NOT NULL AND l.deleted_at IS NULL)
    WHERE enrollment_id = NEW.id;
END;--> statement-breakpoint
CREATE TRIGGER `ledger_entries_charge_once` BEFORE INSERT ON `ledger_entries`
WHEN NEW.kind = 'charge' AND NEW.reverses_id IS NULL
 AND EXISTS (SELECT 1 FROM last_charges x WHERE x.enrollment_id = NEW.enrollment_id AND x.kind = 'charge')
 AND NOT EXISTS (SELECT 1 FROM access_ends a WHERE a.enrollment_id = NEW.enrollment_id AND a.kind = 'open'
   AND a.ends_at <= NEW.created_at)
BEGIN
  SELECT RAISE(ABORT, 'charged_already');
END;--> statement-breakpoint
CREATE TRIGGER `ledger_entries_give_access` AFTER INSERT ON `ledger_entries`
WHEN NEW.kind = 'charge' AND NEW.reverses_id IS NULL
 -- Not if it only replaces another, because the price has changed.
 AND NOT EXISTS (SELECT 1 FROM ledger_entries x WHERE x.enrollment_id = NEW.enrollment_id
   AND x.kind = 'charge' AND x.reverses_id IS NOT NULL AND x.created_at = NEW.created_at)
BEGIN
  UPDATE learning SET access_from = NEW.created_at
    WHERE enrollment_id = NEW.enrollment_id AND cohort_id = NEW.cohort_id AND access_from < NEW.created_at;
END;--> statement-breakpoint
CREATE TRIGGER `ledger_entries_news` AFTER INSERT ON `ledger_entries`
WHEN NEW.source = 'stripe' AND NEW.kind IN ('payment', 'refund') AND NEW.reverses_id IS NULL
BEGIN
  INSERT INTO news_due (owner_id, since, due_at) VALUES (NEW.owner_id, NEW.created_at, 0) ON CONFLICT DO NOTHING;
END;--> statement-breakpoint
CREATE TRIGGER `cohorts_keep_currency` BEFORE UPDATE OF `currency` ON `cohorts`
WHEN NEW.currency IS NOT OLD.currency
 AND (SELECT u.currency FROM used_currencies u WHERE u.cohort_id = NEW.id) <> NEW.currency
BEGIN
  SELECT RAISE(ABORT, 'currency_in_use');
END;--> statement-breakpoint
-- A page at Stripe may ask for what is no longer owed: the clock looks at once.
CREATE TRIGGER `ledger_entries_look_at_page` AFTER INSERT ON `ledger_entries`
BEGIN
  UPDATE checkouts SET check_at = min(check_at, NEW.created_at)
    WHERE enrollment_id = NEW.enrollment_id AND status = 'open';
END;--> statement-breakpoint
CREATE TRIGGER `enrollments_look_at_page` AFTER UPDATE OF `status` ON `enrollments`
WHEN OLD.status <> NEW.status
BEGIN
  UPDATE checkouts SET check_at = min(check_at, NEW.status_changed_at)
    WHERE enrollment_id = NEW.id AND status = 'open';
END;--> statement-breakpoint
CREATE TRIGGER `enrollments_look_at_page_on_delete` AFTER DELETE ON `enrollments`
BEGIN
  UPDATE checkouts SET check_at = 0 WHERE enrollment_id = OLD.id AND status = 'open';
END;--> statement-breakpoint
CREATE TRIGGER `cohorts_look_at_pages` AFTER UPDATE OF `deleted_at`, `archived_at` ON `cohorts`
BEGIN
  UPDATE checkouts SET check_at = 0 WHERE cohort_id = NEW.id AND status IN ('open', 'confirming');
END;--> statement-breakpoint
CREATE TRIGGER `people_stay_by_money` BEFORE DELETE ON `people`
WHEN EXISTS (SELECT 1 FROM payers x WHERE x.owner_id = OLD.owner_id AND x.person_id = OLD.id)
 AND EXISTS (SELECT 1 FROM users WHERE id = OLD.owner_id)
BEGIN
  SELECT RAISE(ABORT, 'person_has_entries');
END;--> statement-breakpoint
-- Who asks for a place, takes one or pays takes part by their own will, with the address of that moment.
CREATE TRIGGER `enrollment_events_agree` AFTER INSERT ON `enrollment_events`
WHEN NEW.actor = 'person' AND NEW.to_status IN ('applied', 'waitlisted', 'offered', 'enrolled')
BEGIN
  UPDATE people SET agreed_at = NEW.at WHERE id = (SELECT e.person_id FROM enrollments e WHERE e.id = NEW.enrollment_id)
    -- Who pays has acted when they went to pay.
    AND NOT EXISTS (SELECT 1 FROM checkouts o WHERE o.enrollment_id = NEW.enrollment_id AND o.paid_at = NEW.at);
END;--> statement-breakpoint
CREATE TRIGGER `checkouts_agree` AFTER UPDATE OF `status` ON `checkouts`
WHEN NEW.status IN ('confirming', 'paid')
BEGIN
  UPDATE people SET agreed_at = max(NEW.created_at, coalesce(agreed_at, 0))
    WHERE id = NEW.person_id AND owner_id = NEW.owner_id AND erased_at IS NULL;
END;--> statement-breakpoint
CREATE TRIGGER `people_balance` AFTER UPDATE OF `name_key`, `agreed_at`, `corrected_at` ON `people`
BEGIN
  UPDATE balances SET is_stale = 1 WHERE owner_id = NEW.owner_id AND person_id = NEW.id;
END;--> statement-breakpoint
CREATE TRIGGER `balances_add_up` AFTER UPDATE OF `is_stale` ON `balances`
WHEN NEW.is_stale = 1
BEGIN
  UPDATE balances SET is_stale = 0, name_key = n.name_key, status = n.status, has_agreed = n.has_agreed,
      charged = n.charged, waived = n.waived, paid = n.paid, refunded = n.refunded, balance = n.balance,
      is_owed = n.status IS NOT NULL AND (NOT n.has_ended OR n.owes_after_leaving),
      list = CASE
        WHEN n.status IS NULL THEN
          CASE WHEN n.balance <> 0 OR n.charged <> 0 OR n.waived <> 0 OR n.paid <> 0 OR n.refunded <> 0 THEN 'gone' END
        WHEN NOT n.has_ended OR n.owes_after_leaving THEN CASE WHEN n.balance > 0 THEN 'owing' END
        -- The owner decides about the account when they mark someone as left.
        WHEN n.status = 'left' AND n.changed_by = 'owner' THEN NULL
        WHEN n.balance > 0 OR n.paid > n.refunded THEN 'left' END
    FROM (SELECT *, max(charged - waived - paid + refunded, min(0, refunded - paid)) AS balance,
        coalesce(status IN ('declined', 'refused', 'expired', 'left', 'removed'), 0) AS has_ended
      FROM (SELECT coalesce(p.name_key, NEW.name_key) AS name_key, e.status, e.changed_by,
          coalesce(e.owes_after_leaving, 0) AS owes_after_leaving,
          coalesce(p.agreed_at >= coalesce(p.corrected_at, 0), 0) AS has_agreed,
          l.charged, l.waived, l.paid, l.refunded
        FROM (SELECT coalesce(sum(CASE kind WHEN 'charge' THEN amount_minor END), 0) AS charged,
              coalesce(sum(CASE kind WHEN 'waiver' THEN -amount_minor END), 0) AS waived,
              coalesce(sum(CASE kind WHEN 'payment' THEN -amount_minor END), 0) AS paid,
              coalesce(sum(CASE kind WHEN 'refund' THEN amount_minor END), 0) AS refunded
            FROM ledger_entries WHERE enrollment_id = NEW.enrollment_id AND cohort_id = NEW.cohort_id) l
          LEFT JOIN people p ON p.id = NEW.person_id
          LEFT JOIN enrollments e ON e.id = NEW.enrollment_id AND e.cohort_id = NEW.cohort_id)) n
    WHERE balances.enrollment_id = NEW.enrollment_id AND balances.cohort_id = NEW.cohort_id;
END;--> statement-breakpoint
-- Whoever is gone owes nothing, so that the totals say what the lists show.
UPDATE balances SET is_stale = 1 WHERE has_agreed = 0 OR status IS NULL;--> statement-breakpoint
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
-- looks again when a lesson is taken from learners, given back or gets another section, when more is open to
-- someone, and when someone comes who has done some.
UPDATE `cohorts` SET `completions_due` = 1 WHERE `kind` = 'open';--> statement-breakpoint
CREATE TRIGGER `lessons_complete_again` AFTER UPDATE OF `published_at`, `deleted_at`, `section_id` ON `lessons`
WHEN (OLD.published_at IS NOT NULL AND OLD.deleted_at IS NULL) <> (NEW.published_at IS NOT NULL AND NEW.deleted_at IS NULL)
  OR NEW.published_at IS NOT NULL AND NEW.section_id <> OLD.section_id
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
  UPDATE learning SET taken_back = 0 WHERE enrollment_id = NEW.id AND taken_back = 1 AND OLD.cohort_id <> NEW.cohort_id;
END;--> statement-breakpoint
CREATE TRIGGER `enrollments_take_completion_back` AFTER UPDATE OF `completed_at` ON `enrollments`
WHEN OLD.completed_at IS NOT NULL AND NEW.completed_at IS NULL
  AND OLD.status = 'enrolled' AND NEW.status = 'enrolled' AND NEW.cohort_id = OLD.cohort_id
BEGIN
  UPDATE learning SET taken_back = 1 WHERE enrollment_id = NEW.id
    AND done >= (SELECT count(*) FROM cohorts c JOIN lessons l ON l.owner_id = c.owner_id AND l.course_id = c.course_id
      WHERE c.id = NEW.cohort_id AND l.published_at IS NOT NULL AND l.deleted_at IS NULL);
END;
