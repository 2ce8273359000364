// biome-ignore-all lint/suspicious/noTemplateCurlyInString: what looks like a template is source text.
import type { Mutation } from './all.ts';

const made = 'src/features/reminders/make-reminders.ts';
const drain = 'src/features/outbox/drain-outbox.ts';
const needed = 'src/features/outbox/is-still-needed.ts';

export const reminders: Mutation[] = [
  {
    defense: '56: a reminder of a first day that is over is not sent',
    file: needed,
    find: 'c.starts_at <= ${now - dayMs}',
    replace: '0',
    project: 'workerd',
    tests: 'features/reminders/reminders',
    named: /a reminder that comes late/,
  },
  {
    defense: '56: nor after its session has begun',
    file: needed,
    find: "${factOf('meeting.starts_at')} <= ${now}",
    replace: '0',
    project: 'workerd',
    tests: 'features/reminders/reminders',
    named: /never comes after its session has begun/,
  },
  {
    defense: '56: people are reminded of the same time only once',
    file: made,
    find: "|| ':' || ${which} || ':' || g.starts_local",
    replace: "|| ':' || ${which} || ':' || random()",
    project: 'workerd',
    tests: 'features/reminders/reminders',
    named: /once for each time|no one reminded twice/,
  },
  {
    defense: '56: a reminder of what has moved is not sent',
    file: needed,
    find: "    AND g.starts_local IS ${factOf('meeting.starts_local')}",
    replace: '',
    project: 'workerd',
    tests: 'features/reminders/reminders',
    named: /a session that moved/,
  },
  {
    defense: '56: who has unsubscribed gets what was written before no more',
    file: needed,
    find: 'THEN p.no_reminders_at IS NULL AND ${isStillToCome}',
    replace: 'THEN ${isStillToCome}',
    project: 'workerd',
    tests: 'features/reminders/reminders',
    named: /someone who has unsubscribed/,
  },
  {
    defense: '56: a batch that was tried keeps its key',
    file: drain,
    find: '${batchKey ?? crypto.randomUUID()}',
    replace: '${crypto.randomUUID()}',
    project: 'workerd',
    tests: 'faults/outbox',
    named: /a batch of a worker that died/,
  },
  {
    defense: '56: nothing joins a batch that was tried',
    file: drain,
    find: '(tried.get(null) ?? [])',
    replace: '(due)',
    project: 'workerd',
    tests: 'faults/outbox',
    named: /what is written later never joins/,
  },
  {
    defense: '56: a retry of a message sends nothing again',
    file: 'src/features/messages/send-message.ts',
    find: 'sql`idempotency_key = ${key}`',
    replace: 'sql`id = ${id}`',
    project: 'workerd',
    tests: 'features/messages/messages',
    named: /a retry with the same key/,
  },
  {
    defense: '64: an address has room for ten a day, however many are due at once',
    file: drain,
    find: 'ofAddress >= (mail.addressRoom ?? Infinity)',
    replace: '0 >= (mail.addressRoom ?? Infinity)',
    project: 'workerd',
    tests: 'features/outbox/drain',
    named: /even if more of kind message are due at once/,
  },
  {
    defense: '64: so has an owner for bulk',
    file: drain,
    find: 'taken(`${ownerId}`) >= (mail.bulkRoom ?? Infinity)',
    replace: '0 >= (mail.bulkRoom ?? Infinity)',
    project: 'workerd',
    tests: 'features/outbox/bulk',
    named: /of what an owner has due at once/,
  },
];
