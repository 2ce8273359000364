import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { ParticipantMailKind } from '#db/values.ts';
import type { ReturnReason } from './schema.ts';

/** What an email is called, and when it goes out. */
type EmailWords = { name: MessageDescriptor; when: MessageDescriptor };

/** Every email to participants, in the order in which a cohort sends them. */
export const emailWords: Record<ParticipantMailKind, EmailWords> = {
  confirm_request: {
    name: msg`Please confirm`,
    when: msg`When someone asks to enroll on the public page`,
  },
  already_there: {
    name: msg`You’re already on the list`,
    when: msg`When someone who is already on the list asks to enroll`,
  },
  write_to_instructor: {
    name: msg`Please write to the instructor`,
    when: msg`When someone you removed asks to enroll`,
  },
  new_link: {
    name: msg`A new link`,
    when: msg`When someone asks for one, or when you send the link again`,
  },
  data_link: { name: msg`Their data`, when: msg`When someone asks for everything kept about them` },
  address_proof: {
    name: msg`A new address`,
    when: msg`When someone changes their email address`,
  },
  applied: {
    name: msg`Your request has arrived`,
    when: msg`When someone asks for a place and you decide who takes part`,
  },
  refused: {
    name: msg`Your request was turned down`,
    when: msg`When you turn someone down, unless you choose not to tell them`,
  },
  enrolled: { name: msg`You are in`, when: msg`When someone gets a place` },
  added: { name: msg`You were added`, when: msg`When you add someone` },
  waitlisted: {
    name: msg`You are on the waitlist`,
    when: msg`When someone joins the waitlist`,
  },
  offer: { name: msg`A place is free`, when: msg`When a place is offered` },
  offer_expiring: {
    name: msg`A place is still free`,
    when: msg`When a quarter of the time to answer is left, and at least three hours before it ends`,
  },
  offer_expired: {
    name: msg`The place was passed on`,
    when: msg`When an offer was not answered in time`,
  },
  invitation: {
    name: msg`Invitation`,
    when: msg`When you invite someone; many invitations go out one after another`,
  },
  invitation_reminder: {
    name: msg`Reminder of an invitation`,
    when: msg`Once, three days before the invitation ends, if it was not answered`,
  },
  removed: {
    name: msg`You were removed`,
    when: msg`When you remove someone, unless you choose not to tell them`,
  },
  left: { name: msg`You no longer take part`, when: msg`When someone leaves` },
  transferred: {
    name: msg`You are in another cohort now`,
    when: msg`When you move someone here, unless you choose not to tell them`,
  },
  starts_soon: {
    name: msg`It begins soon`,
    when: msg`Three days before the first day, at 9 AM`,
  },
  meeting_reminder: {
    name: msg`Reminder of a live session`,
    when: msg`A day before a live session, an hour before it, or both`,
  },
  meeting_changed: {
    name: msg`Changes to the live sessions`,
    when: msg`When you tell everyone who is enrolled what has changed`,
  },
  meeting_cancelled: {
    name: msg`Canceled live sessions`,
    when: msg`When every change you announce is a cancellation`,
  },
  message: { name: msg`A message from you`, when: msg`When you write to everyone who is enrolled` },
  cohort_cancelled: {
    name: msg`Canceled`,
    when: msg`When you move the cohort to the trash, unless you choose not to tell anyone`,
  },
  dates_moved: {
    name: msg`New dates`,
    when: msg`When you move all dates, unless you choose not to tell anyone`,
  },
  payment_reminder: {
    name: msg`Still to pay`,
    when: msg`When you remind those who still owe something, no more than once a week`,
  },
  enrollment_open: {
    name: msg`Enrollment is open`,
    when: msg`When enrollment opens, to people who asked to know on the course’s page`,
  },
};

export const reasonWords: Record<ReturnReason, MessageDescriptor> = {
  bounced: msg`Bounced: the address doesn’t take it`,
  complained: msg`Marked as spam`,
  suppressed: msg`Not sent: an earlier email to this address bounced`,
  unwelcome: msg`Not sent: they marked an earlier email as spam`,
  failed: msg`Given up after several tries`,
};
