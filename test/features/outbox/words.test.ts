import { expect, test } from 'vitest';
import { createEnrollment } from '#support/factories.ts';
import { mailsTo } from '#support/resend.ts';
import { startFresh } from '../people/fresh.ts';
import { createPublished, start } from '../people/storm.ts';
import { createMail, createSpam, drainByClock, payload } from './support.ts';

const hour = 60 * 60 * 1000;
const given = startFresh();

const own = {
  welcome_note: 'Read chapter one.',
  price_minor: 24_000,
  currency: 'EUR' as const,
  payment_note: 'To FR76 3000.',
  payment_url: 'https://pay.example.com/writing',
};

/** A cohort, and emails of a kind to people of it who knew before that they are on its list. */
async function createNoted(kind: 'enrolled' | 'transferred') {
  const cohort = await createPublished();
  const { ownerId } = cohort;
  const add = async (who: 'agreed' | 'stranger') => {
    const { id, person } = await createEnrollment(
      cohort,
      { changedBy: who === 'agreed' ? 'person' : 'owner' },
      { source: who === 'agreed' ? 'self' : 'imported' },
    );
    const to = { ownerId, toAddress: person.email, toCanonical: person.emailCanonical };
    await createMail({ ...to, enrollmentId: id, kind: 'added', sentAt: new Date(start - hour) });
    await createMail({
      ...to,
      enrollmentId: id,
      kind,
      payload: JSON.stringify({
        ...payload,
        cohort: { ...payload.cohort, ...own },
        person: { id: person.id, link_version: 1 },
      }),
    });
    return person.email;
  };
  return { ownerId, add };
}

function textTo(address: string): string {
  const [mail, ...others] = mailsTo(address, given.resend.accepted);
  expect(others).toEqual([]);
  return mail?.text ?? '';
}

const kinds = [['enrolled'], ['transferred']] as const;

test.each(kinds)(
  'the welcome note of “%s” goes to few who have not agreed, who are not asked for money',
  async (kind) => {
    const { add } = await createNoted(kind);
    const strangers = [await add('stranger'), await add('stranger')];
    const agreed = await add('agreed');
    await drainByClock({ LIMITS: { stranger_bulk_mails_per_owner: ['1/d'] } });
    const noted = strangers.filter((address) => textTo(address).includes(own.welcome_note));
    expect(noted).toHaveLength(1);
    for (const address of strangers) {
      expect(textTo(address)).toContain('Writing in spring');
    }
    for (const words of [own.welcome_note, own.payment_note, own.payment_url]) {
      expect(textTo(agreed)).toContain(words);
    }
    for (const way of [own.payment_note, own.payment_url]) {
      expect(noted.map(textTo).join()).not.toContain(way);
    }
  },
);

test.each(kinds)(
  'while people mark emails as spam, “%s” has no note for who has not agreed',
  async (kind) => {
    const { add, ownerId } = await createNoted(kind);
    const [stranger, agreed] = [await add('stranger'), await add('agreed')];
    await createSpam(ownerId, new Date(start));
    await drainByClock();
    expect(textTo(stranger)).toContain('Writing in spring');
    expect(textTo(stranger)).not.toContain(own.welcome_note);
    expect(textTo(agreed)).toContain(own.welcome_note);
  },
);
