import { createHmac } from 'node:crypto';
import { webhookKey } from '../built/worker.ts';

/** A signed webhook by which Resend reports that an email bounced. */
export function bounceOf(to: string) {
  const created = new Date().toISOString();
  const body = JSON.stringify({
    type: 'email.bounced',
    created_at: created,
    data: {
      created_at: created,
      email_id: crypto.randomUUID(),
      message_id: '<a-mail@lectern.test>',
      from: 'Lectern <hello@lectern.test>',
      to: [to],
      subject: 'Your Lectern login link',
      bounce: { type: 'Permanent', subType: 'General', message: 'The mailbox is not there' },
    },
  });
  const [id, seconds] = ['msg_bounce', String(Math.floor(Date.now() / 1000))];
  const signature = createHmac('sha256', webhookKey)
    .update(`${id}.${seconds}.${body}`)
    .digest('base64');
  const headers = {
    'Content-Type': 'application/json',
    'svix-id': id,
    'svix-timestamp': seconds,
    'svix-signature': `v1,${signature}`,
  };
  return { headers, body };
}
