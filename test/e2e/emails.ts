import type { Page } from '@playwright/test';
import type { ParticipantMailKind } from '#email/kinds.ts';
import { dayFromToday } from './cohorts.ts';
import { cohortWith } from './enrollments.ts';
import { addMeetings } from './meetings.ts';
import {
  clientOf,
  courseNames,
  languageOf,
  linkIn,
  type Mail,
  makeCourse,
  newEmail,
  signedInAs,
  someone,
} from './people.ts';
import { askApi, runClock } from './support.ts';
import type { View } from './view.ts';

type Email = {
  /** That of its function in `account-letters.ts` or file in `src/email`, or its kind. */
  name: string;
  /** Has it sent to someone who uses the language of the page's cookie. */
  receive: (page: Page) => Promise<Mail>;
};

/** As documents shared by a link have it: one word, wider than a phone. */
export const longLink = `https://docs.example/document/d/${'1xKq7Zr'.repeat(40)}/edit?usp=sharing`;

export const emails: Email[] = [
  { name: 'verify-email', receive: receiveVerification },
  { name: 'login-link', receive: receiveLogin },
  { name: 'address-change-link', receive: (page) => receiveRequested(page, 'newAddress') },
  { name: 'address-change-requested', receive: (page) => receiveRequested(page, 'email') },
  { name: 'address-changed', receive: receiveChanged },
  { name: 'address-restored', receive: receiveRestored },
  { name: 'address-taken', receive: receiveTaken },
  // One for each layout of emails to participants.
  ...(
    [
      'enrolled',
      'starts_soon',
      'dates_moved',
      'meeting_reminder',
      'meeting_cancelled',
      'cohort_cancelled',
      'payment_reminder',
      'learner_link',
      'place_held',
      'paid_without_place',
    ] as const
  ).map((kind) => ({ name: kind, receive: (page: Page) => receiveOfCohort(page, kind) })),
  { name: 'added', receive: (page) => receiveAs(page, 'enrolled') },
  { name: 'invitation', receive: (page) => receiveAs(page, 'invited') },
  { name: 'message', receive: receiveMessage },
  { name: 'meeting_changed', receive: receiveChanges },
];

/** All emails, alone in a window. */
export const emailViews: Pick<View, 'name' | 'open'>[] = emails.map(({ name, receive }) => ({
  name: `email-${name}`,
  open: async (page) => {
    const { html } = await receive(page);
    await page.setContent(html);
  },
}));

async function receiveVerification(page: Page): Promise<Mail> {
  const client = await clientOf(page);
  const email = newEmail();
  await client.requestSignUp(email);
  return client.mailTo(email);
}

async function receiveLogin(page: Page): Promise<Mail> {
  const client = await clientOf(page);
  const email = newEmail();
  await client.signUp(email);
  await askApi(page, 'POST', '/api/accounts/auth/login/', { email });
  return client.mailTo(email, '', 2);
}

async function receiveRequested(page: Page, whose: 'email' | 'newAddress'): Promise<Mail> {
  const client = await clientOf(page);
  const addresses = await client.requestAddressChange();
  // The former address also has the email of the sign-up.
  return client.mailTo(addresses[whose], '', whose === 'email' ? 2 : 1);
}

async function receiveChanged(page: Page): Promise<Mail> {
  const client = await clientOf(page);
  const { email, confirmLink } = await client.requestAddressChange();
  await client.confirm(confirmLink);
  return client.mailTo(email, '', 3);
}

async function receiveRestored(page: Page): Promise<Mail> {
  const client = await clientOf(page);
  const { email, newAddress, confirmLink } = await client.requestAddressChange();
  await client.confirm(confirmLink);
  const { searchParams } = new URL(linkIn(await client.mailTo(email, '', 3)));
  const token = searchParams.get('token');
  await askApi(page, 'POST', '/api/accounts/auth/undo-address-change/', { token });
  return client.mailTo(newAddress, '', 2);
}

async function receiveTaken(page: Page): Promise<Mail> {
  const client = await clientOf(page);
  const [taken, email] = [newEmail(), newEmail()];
  await client.signUp(taken);
  await client.signUp(email);
  const { id } = (await askApi(page, 'GET', '/api/accounts/auth/user/')) as { id: string };
  await askApi(page, 'PATCH', `/api/accounts/${id}/`, { email: taken });
  return client.mailTo(taken, '', 2);
}

/** A published cohort in which no one takes part, and its owner, for all emails. */
function publish(page: Page): Promise<{ id: string; owner: string }> {
  return signedInAs(page, 'the owner of a cohort that writes', async () => {
    const owner = newEmail();
    await (await clientOf(page)).signUp(owner);
    await makeCourse(page);
    const { id } = await cohortWith(page, [], {
      name: courseNames[2] ?? '',
      place: courseNames[3],
      welcome_note: `${courseNames[0]} ${longLink}`,
      price_minor: 48_000,
      currency: 'CAD',
      payment_note: `${courseNames[0]}\n${longLink}`,
    });
    return { id, owner };
  });
}

/** As its instructor gets it with “Send to me”. */
async function receiveOfCohort(page: Page, kind: ParticipantMailKind): Promise<Mail> {
  const { id, owner } = await publish(page);
  const client = await clientOf(page);
  const count = await client.countMails(owner);
  await askApi(page, 'POST', `/api/cohorts/${id}/emails/${kind}/send/`);
  // Not all of them have a link.
  return client.mailTo(owner, '', count + 1);
}

/** As someone who was added or invited gets it, with all its ways out. */
async function receiveAs(page: Page, as: 'enrolled' | 'invited'): Promise<Mail> {
  return (await clientOf(page)).mailTo(await join(page, await publish(page), as), '/p/remove');
}

/** Someone new in a cohort, who knows that they were added: their address. */
async function join(page: Page, { id }: { id: string }, as = 'enrolled'): Promise<string> {
  const input = { as, ...someone(0), language: await languageOf(page) };
  await askApi(page, 'POST', `/api/cohorts/${id}/enrollments/`, input);
  // Messages and announcements wait for this email.
  await (await clientOf(page)).mailTo(input.email);
  return input.email;
}

async function receiveMessage(page: Page): Promise<Mail> {
  const cohort = await publish(page);
  const email = await join(page, cohort);
  const message = { subject: courseNames[0], text: [...courseNames, longLink].join('\n\n') };
  await askApi(page, 'POST', `/api/cohorts/${cohort.id}/messages/`, message);
  await runClock(page);
  return (await clientOf(page)).mailTo(email, '/p/unsubscribe');
}

/** One session has moved and has another name, one is canceled and one is new. */
async function receiveChanges(page: Page): Promise<Mail> {
  const cohort = await publish(page);
  const evening = (day: number) => ({ starts_local: `${dayFromToday(day)}T18:00` });
  const [title = ''] = courseNames;
  const [moved, canceled] = await addMeetings(page, cohort, { title, ...evening(43), count: 2 });
  const email = await join(page, cohort);
  const path = `/api/cohorts/${cohort.id}/`;
  const change = { title: courseNames[2], ...evening(44) };
  await askApi(page, 'PATCH', `${path}meetings/${moved?.id}/`, change);
  await askApi(page, 'DELETE', `${path}meetings/${canceled?.id}/`);
  await addMeetings(page, cohort, { title, ...evening(57), count: 1 });
  await askApi(page, 'POST', `${path}announcements/`, { note: `${courseNames[1]} ${longLink}` });
  await runClock(page);
  return (await clientOf(page)).mailTo(email, '/p/', 2);
}
