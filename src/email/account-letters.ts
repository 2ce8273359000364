import 'server-only';
import { msg } from '@lingui/core/macro';
import { maskEmail } from '#lib/email-address.ts';
import { type Addressee, composeMail, type RequestOrigin } from './layout.ts';

/**
 * The first email to a new address, which confirms the mailbox and signs in: by its link for 24
 * hours, by its code for 10 minutes.
 */
export function verifyEmail(
  to: Addressee,
  link: string,
  origin: RequestOrigin,
  code: string | null,
) {
  return composeMail(to, {
    subject: msg`Confirm your email address for Lectern`,
    preheader: msg`Your account is almost ready.`,
    title: msg`Confirm your email address`,
    paragraph: msg`Welcome to Lectern. Confirm your email address to finish setting up your account: open the link, or enter the code in the window where you signed up.`,
    action: {
      label: msg`Confirm my email address`,
      link,
      code,
      origin,
      validity: msg`The link works once and expires in 24 hours, the code in 10 minutes.`,
    },
    notMine: msg`If you didn’t sign up for Lectern, please ignore this email: nothing happens unless you use the link or the code. Don’t share them with anyone.`,
    why: msg`You’re receiving this email because someone signed up for Lectern with this address.`,
  });
}

/** The email that signs the recipient in. Its link and its code are valid for 10 minutes. */
export function loginLink(to: Addressee, link: string, origin: RequestOrigin, code: string | null) {
  return composeMail(to, {
    subject: msg`Your Lectern login link`,
    preheader: msg`Use it within 10 minutes to log in.`,
    title: msg`Your login link`,
    paragraph: msg`Here’s your login link. Or enter the code in the window where you asked for it.`,
    action: {
      label: msg`Log in to Lectern`,
      link,
      code,
      origin,
      validity: msg`The link and the code work once and expire in 10 minutes.`,
    },
    notMine: msg`If you didn’t ask for this, please ignore this email. Don’t share the link or the code with anyone: either one is enough to log in to your account.`,
    why: msg`You’re receiving this email because someone asked to log in to Lectern with this address.`,
  });
}

/** Sent to a new address: its link confirms the mailbox and makes the change, for 24 hours. */
export function addressChangeLink(to: Addressee, link: string, origin: RequestOrigin) {
  return composeMail(to, {
    subject: msg`Confirm your new email address for Lectern`,
    preheader: msg`Until you do, your account keeps its current address.`,
    title: msg`Confirm your new email address`,
    paragraph: msg`You asked to change your Lectern email to this address. Please confirm that it’s yours.`,
    action: {
      label: msg`Confirm this address`,
      link,
      origin,
      validity: msg`This link works once and expires in 24 hours.`,
    },
    notMine: msg`If you didn’t ask for this, please ignore this email: nothing changes unless you click.`,
    why: msg`You’re receiving this email because someone asked to use this address for a Lectern account.`,
  });
}

/**
 * Notifies an account's present address that one of its sessions has requested a change.
 *
 * @param newEmail shown masked: enough for its owner to recognize it
 * @param stopLink lives as long as the change waits
 */
export function addressChangeRequested(
  to: Addressee,
  newEmail: string,
  stopLink: string,
  origin: RequestOrigin,
) {
  const masked = maskEmail(newEmail);
  return composeMail(to, {
    subject: msg`Request to change your Lectern email address`,
    preheader: msg`Not you? You can still stop it.`,
    title: msg`Request to change your email address`,
    paragraph: msg`Someone asked to change the email address of your Lectern account to ${masked}. If it was you, you don’t need to do anything here: just open the link we sent to the new address.`,
    action: {
      label: msg`Stop this change`,
      link: stopLink,
      origin,
      validity: msg`This link works until the change is confirmed, for 24 hours at most.`,
    },
    notMine: msg`If it wasn’t you, stop the change, then log in and log out of all other sessions in your settings.`,
    isAlert: true,
    why: msg`You’re receiving this email because your Lectern account uses this address.`,
  });
}

/**
 * Sent to the address that an account had until now.
 *
 * @param newEmail shown masked: enough for its owner to recognize it
 * @param undoLink restores the address; valid for 7 days
 */
export function addressChanged(to: Addressee, newEmail: string, undoLink: string) {
  const masked = maskEmail(newEmail);
  return composeMail(to, {
    subject: msg`Your Lectern email address has changed`,
    preheader: msg`Not you? You have 7 days to undo it.`,
    title: msg`Your email address has changed`,
    paragraph: msg`Your Lectern account now uses ${masked}. You can no longer log in with this address, and you’ve been logged out everywhere except in the browser that confirmed the change.`,
    action: {
      label: msg`Undo this change`,
      link: undoLink,
      validity: msg`This link works once and expires in 7 days. It restores this address and logs out every browser.`,
    },
    notMine: msg`If it wasn’t you, someone else has accessed your account. Undo this change right away, or reply to this email so that we can help.`,
    isAlert: true,
    why: msg`You’re receiving this email because your Lectern account used this address until now.`,
  });
}

/**
 * Sent to the address that an account had until a former one was restored.
 *
 * @param restoredEmail shown masked: enough for its owner to recognize it
 */
export function addressRestored(to: Addressee, restoredEmail: string) {
  const masked = maskEmail(restoredEmail);
  return composeMail(to, {
    subject: msg`Your Lectern email address has changed`,
    preheader: msg`It’s ${masked} again.`,
    title: msg`Your email address has changed`,
    paragraph: msg`Your Lectern account uses ${masked} again: the change was undone with the link we had emailed to that address. You can no longer log in with this address, and you’ve been logged out everywhere.`,
    notMine: msg`If it wasn’t you, please reply to this email right away so that we can help.`,
    isAlert: true,
    why: msg`You’re receiving this email because your Lectern account used this address until now.`,
  });
}

/**
 * Sent to an address that was entered for a new account or an address change, but has an account
 * already. Only the owner of the mailbox learns this; the page says the same as always.
 */
export function addressTaken(to: Addressee) {
  return composeMail(to, {
    subject: msg`This address already has a Lectern account`,
    preheader: msg`Your account hasn’t changed.`,
    title: msg`You already have an account`,
    greeting: msg`Hello,`,
    paragraph: msg`Someone asked to use this address for another Lectern account. It already has its own account, so nothing was changed. If it was you, log in to the account with this address and delete it first, or choose another address.`,
    notMine: msg`If it wasn’t you, you don’t need to do anything: your account is safe.`,
    isAlert: true,
    why: msg`You’re receiving this email because your Lectern account uses this address.`,
  });
}
