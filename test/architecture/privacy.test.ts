import { readFileSync } from 'node:fs';
import { getTableColumns, getTableName } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { tables } from '#support/tables.ts';

/** Sentences of the page, and the columns that each tells people about. */
const told: Record<string, Record<string, string>> = {
  users: {
    'name, email address, your bio, language, when you created it':
      'first_name last_name email email_canonical bio language created_at',
    'when you confirmed the address, which course is selected':
      'email_verified_at selected_course_id',
    'whether you get the daily news': 'roster_news',
    'Google’s identifier for you and the web address of your Google picture':
      'google_sub avatar_url',
  },
  courses: {
    'name, type, color, picture, what you say about them, the link to their page, whether public pages show their lessons, when they were created and last changed, and a random key':
      'name course_type hue picture about slug shows_outline created_at updated_at idempotency_key',
  },
  sections: {
    'the sections and their order': 'title position',
    'when sections open, and random keys that prevent duplicates': 'release_days idempotency_key',
    'when each was written, changed or published': 'created_at updated_at',
  },
  lessons: {
    'what you write': 'title document published_title html',
    'the sections and their order, reading times and words':
      'position minutes words published_words',
    'which lessons are published': 'published_version',
    'when each was written, changed or published':
      'draft_version draft_at published_at created_at updated_at',
    'What you move to the trash is deleted after 30 days': 'deleted_at',
    'when sections open, and random keys that prevent duplicates': 'idempotency_key',
    'and by which lessons link to each other': 'link_key',
  },
  files: {
    'the files in them: names, types, sizes, when you added them':
      'name content_type size width height created_at',
    'the random keys under which they’re stored and, during an upload, how much has arrived':
      'key object_key parts',
    'Files that no lesson uses are deleted a week after you add them': 'uses',
  },
  lesson_versions: {
    'with its earlier versions': 'at reason title document words',
  },
  cohort_sections: {
    'when sections open': 'mode opens_local opens_at meeting_edge',
  },
  learning: {
    'when you could first read them and from when your access counts, which one you were last at and how many are done':
      'started_at access_from last_seen_at done',
    'how many reminders you got, when you were last told that lessons are open, and when the next email about lessons is due':
      'next_release_at announced_at nudges nudge_due_at',
    'how you get on: under way, stuck, not started or finished': 'standing quiet_at taken_back',
  },
  lesson_marks: {
    'which lessons you have opened and marked as done, and when': 'opened_at done_at',
  },
  learner_codes: {
    'a keyed hash of the code, another that ties it to your browser, and how many wrong codes were entered, for 10 minutes':
      'code_hash attempt_hash tries expires_at',
  },
  cohorts: {
    'what you enter about them, such as prices, who else teaches and how refunds work':
      'name description starts_on ends_on time_zone starts_at ends_at join_mode enrollment_opens_local enrollment_opens_at enrollment_closes_local enrollment_closes_at enrollment_override capacity waitlist offer_hours minimum_people shows_minimum shows_places_left place join_url price_minor currency payment_note payment_url terms_url welcome_note question language slug reminds_invited reminds_start reminds_day_before reminds_hour_before start_reminder_at start_reminded_on early_price_minor early_until_local early_until_at join_passcode second_teacher second_teacher_line refund_note sends_receipts sends_certificates kind announces_releases sends_nudges access_days payment_mode closed_by_type completions_due',
    'when you created, changed, published or archived them, and a random key':
      'created_at updated_at published_at archived_at idempotency_key',
    'What you move to the trash is deleted after 30 days, once you’ve decided about what people paid for it':
      'deleted_at money_kept_at',
  },
  calendar_feeds: {
    'since when it exists, and how many you have had': 'enabled_at version',
  },
  meetings: {
    'their titles, times, places, meeting links and notes':
      'title starts_local duration_minutes starts_at place join_url note sequence',
    'what everyone can read about them': 'public_line',
    'what people were last told of them': 'announced reminded_day_for reminded_hour_for',
    'when you added, changed or canceled them, and a random key':
      'created_at updated_at cancelled_at idempotency_key idempotency_no',
  },
  days_off: {
    'days without class with their reasons': 'on_date reason created_at',
  },
  group_messages: {
    'what you write to people of your cohorts, when, to whom of them and to how many':
      'subject text audience recipients left_out changes created_at idempotency_key',
  },
  news_due: {
    'when the next go out': 'since due_at',
  },
  sessions: {
    'for each logged-in browser, its name, when you logged in': 'user_agent created_at',
    'when it was last active': 'last_seen_at',
  },
  links: {
    'what each is for, the address, when and from which browser it was requested, when it expires':
      'purpose email_canonical new_email browser created_at expires_at',
    'which session requested it': 'session_id',
    'a keyed hash, one that ties it to your browser, and how many wrong ones were entered':
      'code_hash attempt_hash code_tries',
  },
  address_restores: {
    'the former one and the time of the change, for 7 days':
      'email email_canonical created_at expires_at',
  },
  known_sign_ins: {
    'for each browser and network you’ve logged in from, a keyed hash': 'origin expires_at',
  },
  counters: {
    'how often certain actions were requested': 'key window_start count expires_at',
  },
  undeliverable_addresses: {
    'the address, the reason and the date': 'email_canonical reason since',
  },
  people: {
    'your name, email address and language': 'email email_canonical name name_key language',
    'when you agreed to pass them on and to which text': 'consented_at consent_version',
    'when you last showed that you take part': 'agreed_at',
    'how the instructor got your address': 'source',
    'whether you want no more invitations, reminders or messages, and their note about you':
      'no_invitations_at no_reminders_at note',
    '30 days after your last one, you are removed': 'unlinked_at',
    'by that one, for 10 minutes': 'link_version',
    'what has happened to their places': 'created_at updated_at corrected_at',
    'with a number and the date in place of your name': 'erased_at erased_no',
  },
  enrollments: {
    'the cohorts you were invited to, asked for, waited for or took part in, and what happened when':
      'name_key status queue_no offer_no expires_at held_for over_capacity completed_at changed_by status_changed_at created_at',
    'the question and your answer': 'question answer',
    'a note of theirs and whether you still owe what is open': 'left_note owes_after_leaving',
  },
  enrollment_events: {
    'what happened when': 'at actor from_status to_status moved_from',
  },
  attendance: {
    'whether you were present at each live session, if the instructor marks it, and when they did':
      'is_present marked_at',
  },
  enrollment_requests: {
    'your name, address and answer are deleted after 24 hours':
      'email email_canonical name language consent_version question answer created_at expires_at',
  },
  course_interests: {
    'your email address and language, and to which text you agreed':
      'email email_canonical language consent_version',
    'If you don’t confirm the address, it is deleted after 24 hours': 'created_at confirmed_at',
    'otherwise with the email, after a year': 'expires_at',
  },
  mails_due: {
    'their content for 7 days after they were sent': 'payload',
    'for 90 days that they were sent, when and to which address':
      'to_address to_canonical kind due_at attempts sent_at dedupe_key batch_key provider_id is_to_stranger',
    'whether that failed, and whether you marked one as spam':
      'failed_at failure bounced_at complained_at',
  },
  mail_texts: {
    'their content for 7 days after they were sent': 'facts created_at',
  },
  ledger_entries: {
    'each with its kind, amount, currency, way of payment and dates':
      'kind amount_minor currency method method_word received_on created_at',
    'the names of course and cohort, where it comes from, and a random key':
      'course_name cohort_name source created_by idempotency_key',
  },
  checkouts: {
    'the names of course and cohort, the amounts, the outcome, the refunds, with their dates, and Stripe’s IDs':
      'course_name cohort_name stripe_account payment_intent price_minor amount_minor currency status problem paid_minor paid_currency paid_at refunded_minor decide_by check_at attempts expires_at created_at',
  },
  payment_accounts: {
    'its ID and country, whether it can take payments, what Stripe still needs, and when it was connected, checked and disconnected':
      'stripe_account country charges_enabled due_json ready_at connected_at checked_at disconnected_at listed_at',
  },
  refunds_wanted: {
    'the amounts, the outcome, the refunds, with their dates':
      'amount_minor waive_rest reason due_at attempts done_at failed_at failure created_at',
  },
  balances: {
    'what people owe and have paid':
      'name_key status has_agreed charged waived paid refunded balance is_owed list is_stale',
  },
  ledger_notes: {
    'with a note of theirs that you may ask them to show you': 'text',
  },
  blocked_addresses: {
    'a keyed hash of your address, so that this still applies': 'hash reason created_at',
  },
  cohort_erasures: {
    'that someone was erased and when': 'at actor',
  },
};

/** Columns that lead from one row to another, and hashes of secrets that people hold. */
const references = /^(id|\w+_id|subject|token_hash|stop_token_hash)$/;

/** Tables without anything about people. */
const impersonal = [
  'webhook_deliveries',
  'balance_totals',
  'interests_due',
  'lesson_counts',
  'run_counts',
  'run_days',
  'run_statuses',
  'objects_gone',
];

const page = readFileSync('src/pages/privacy.tsx', 'utf8').replace(/\s+/g, ' ');

test('the privacy page covers every column that says something about someone', () => {
  const untold = tables.flatMap((table) => {
    const name = getTableName(table);
    const columns = Object.values(told[name] ?? {}).flatMap((list) => list.split(' '));
    return Object.values(getTableColumns(table))
      .map((column) => column.name)
      .filter((column) => !references.test(column) && !columns.includes(column))
      .map((column) => `${name}.${column}`);
  });

  expect(untold.filter((column) => !impersonal.includes(column.split('.')[0] ?? ''))).toEqual([]);
});

test('the privacy page has each of these sentences, about columns that exist', () => {
  const sentences = Object.values(told).flatMap((ofTable) => Object.keys(ofTable));
  const known = new Set(
    tables.flatMap((table) =>
      Object.values(getTableColumns(table)).map(({ name }) => `${getTableName(table)}.${name}`),
    ),
  );
  const named = Object.entries(told).flatMap(([table, ofTable]) =>
    Object.values(ofTable).flatMap((list) => list.split(' ').map((name) => `${table}.${name}`)),
  );

  expect(sentences.filter((sentence) => !page.includes(sentence))).toEqual([]);
  expect(named.filter((column) => !known.has(column))).toEqual([]);
});
