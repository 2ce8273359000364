import type { I18n, MessageDescriptor } from '@lingui/core';
import { msg, plural } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import type { EnrollmentStatus } from '#db/values.ts';
import { priceNow } from '#features/cohorts/price-at.ts';
import { peopleMessages } from '#features/places/form-messages.ts';
import type { Enrollment } from '#features/places/schema.ts';
import { hoursToPay } from '#features/places/why-no-offer.ts';
import type { OwnCohort } from '#features/planning/own-cohorts.ts';
import { priceOf } from '#lib/price.ts';
import { dayIn, dayOfYear } from '#lib/time/words.ts';
import { paths } from '#paths.ts';
import { EmailAddress } from '#ui/email-address.tsx';
import { PersonDisc } from '#ui/person-disc.tsx';
import type { EarlyCompletion } from './complete-dialog.tsx';
import type { Account } from './find-roster.ts';
import { leftMessages, leftTexts } from './left-texts.ts';
import { type Ends, PeopleMenu, peopleMenuId } from './people-menu.tsx';

type PeopleProps = {
  cohort: OwnCohort;
  now: Date;
  /** Of their accounts; null where no one has any. */
  currency?: string | null;
  /** Who is first on the waitlist, where people can be marked as left. */
  nextWaiting?: string | null;
  children: ReactNode;
};

/** Lists of people, whose rows share one menu. */
export function PeopleLists(props: PeopleProps) {
  const { cohort, now, currency = null, nextWaiting = null, children } = props;
  const { i18n, t } = useLingui();
  return (
    <PeopleMenu
      cohortId={cohort.id}
      isFull={isFull(cohort)}
      canWait={cohort.waitlist}
      hasBegun={new Date(cohort.starts_at) <= now}
      isPast={isPast(cohort, now)}
      canTell={cohort.archived_at === null}
      messages={peopleMessages(i18n)}
      leftMessages={leftMessages(i18n)}
      currency={currency}
      locale={i18n.locale}
      texts={{
        ...actionWords(i18n, cohort, now),
        waiting: t`One moment…`,
        details: t`Details`,
        ends: endTexts(i18n),
        early: earlyTexts(i18n, cohort, now),
        markLeft: t`Mark as left…`,
        left: leftTexts(i18n, cohort, nextWaiting),
      }}
    >
      {children}
    </PeopleMenu>
  );
}

/** Whether no one comes in any more. An archived cohort is over for everyone in it. */
export function isPast(
  { archived_at: archivedAt, ends_at: endsAt }: OwnCohort,
  now: Date,
): boolean {
  return archivedAt !== null || new Date(endsAt) <= now;
}

/** Why no one can be added to such a cohort, and what to do about it. */
export function PastCohort({ cohort }: { cohort: OwnCohort }) {
  return cohort.archived_at === null ? (
    <Trans>This cohort has ended, so no one can be added.</Trans>
  ) : (
    <Trans>
      This cohort is archived, so no emails go out. To add people, take it out of the archive first.
    </Trans>
  );
}

/** Whether no place is free. */
export function isFull({ counts }: OwnCohort): boolean {
  return counts.places_left === 0;
}

/** Whether anyone who asks can be let in now, to a place or to the waitlist. */
export function canApprove(cohort: OwnCohort, now: Date): boolean {
  return !isPast(cohort, now) && (!isFull(cohort) || cohort.waitlist);
}

/** `Add anyway (21 of 20)` */
export function overWords(i18n: I18n, { counts, capacity }: OwnCohort): string {
  const [next, places] = [counts.enrolled + counts.offered + 1, capacity ?? 0];
  return i18n._(msg`Add anyway (${next} of ${places})`);
}

/** That who is let in has to pay first, and for how long their place is kept; null where none has. */
export function payFirstWords(i18n: I18n, cohort: OwnCohort, now: Date): string | null {
  const { payment_mode: mode, offer_hours: offerHours, enrollment_closes_at: closes } = cohort;
  const price = priceNow(cohort, now);
  if (mode !== 'online_first' || price === null || price.minorNow === 0) {
    return null;
  }
  const amount = priceOf(price.minorNow, price.currency, i18n.locale);
  const [startsAt, endsAt] = [new Date(cohort.starts_at), new Date(cohort.ends_at)];
  const enrollmentClosesAt = closes === null ? null : new Date(closes);
  const hours = hoursToPay({ startsAt, endsAt, enrollmentClosesAt, offerHours }, now);
  return i18n._(
    msg`Whoever is approved is offered a place and has ${plural(hours, { one: '# hour', other: '# hours' })} to pay ${amount}.`,
  );
}

/** Those in a cohort who are offered a place. */
export function offeredPage(cohortId: string): string {
  return `${paths.roster(cohortId)}?status=offered`;
}

/** Of the buttons that do something about someone. */
export function actionWords(i18n: I18n, cohort: OwnCohort, now: Date) {
  const isOver = isFull(cohort);
  const paysFirst = !isOver && payFirstWords(i18n, cohort, now) !== null;
  const [pendingLabel, adding] = [i18n._(msg`One moment…`), i18n._(msg`Adding…`)];
  const added = { pendingLabel: adding, done: i18n._(msg`Added to the roster.`) };
  return {
    offer: {
      children: isOver ? i18n._(msg`Offer a place anyway`) : i18n._(msg`Offer a place now`),
      pendingLabel: i18n._(msg`Offering…`),
      done: i18n._(msg`Place offered.`),
    },
    add: { children: i18n._(msg`Add now`), ...added },
    addOver: { children: overWords(i18n, cohort), ...added },
    approve: {
      children: isOver ? i18n._(msg`Move to the waitlist`) : i18n._(msg`Approve`),
      pendingLabel,
      done: isOver
        ? i18n._(msg`Put on the waitlist.`)
        : paysFirst
          ? i18n._(msg`Place offered.`)
          : i18n._(msg`Approved.`),
      // The list of those who ask would be empty.
      ...(paysFirst && cohort.counts.applied === 1 && { page: offeredPage(cohort.id) }),
    },
    complete: {
      children: i18n._(msg`Mark as completed`),
      pendingLabel,
      done: i18n._(msg`Marked as completed.`),
    },
    uncomplete: {
      children: i18n._(msg`Undo “completed”`),
      pendingLabel,
      done: i18n._(msg`No longer marked as completed.`),
    },
    resend: {
      children: i18n._(msg`Send the link again`),
      pendingLabel: i18n._(msg`Sending…`),
      done: i18n._(msg`Link sent.`),
    },
  };
}

/** What is said before someone completes a cohort that is not over; null once it is, and in a run. */
export function earlyTexts(i18n: I18n, cohort: OwnCohort, now: Date): EarlyCompletion | null {
  if (cohort.kind === 'open' || new Date(cohort.ends_at) <= now) {
    return null;
  }
  // Filled in where the person is chosen.
  const name = '{name}';
  const day = dayOfYear(cohort.ends_on, i18n.locale);
  const isSent = cohort.sends_certificates && cohort.archived_at === null;
  return {
    title: i18n._(msg`Mark ${name} as completed before the end?`),
    explanations: [
      i18n._(
        msg`This cohort runs until ${day}. The certificate shows the sessions held so far and is updated until the cohort ends.`,
      ),
      isSent
        ? i18n._(
            msg`If ${name} has agreed to take part, they’ll get an email with a link to the certificate.`,
          )
        : i18n._(msg`${name} will see the certificate on their page. No email is sent.`),
    ],
    submit: i18n._(msg`Mark as completed`),
    submitting: i18n._(msg`One moment…`),
    cancel: i18n._(msg`Cancel`),
    done: i18n._(msg`Marked as completed.`),
  };
}

/** How people lose their place, or the way to one. */
export function endTexts(i18n: I18n) {
  // Filled in where the person is chosen.
  const name = '{name}';
  const [tell, cancel] = [i18n._(msg`Tell ${name} by email`), i18n._(msg`Cancel`)];
  const removed = {
    move: 'remove',
    title: i18n._(msg`Remove ${name}?`),
    explanation: i18n._(
      msg`The place becomes free. ${name} can’t come back without you: only you can invite or add them again.`,
    ),
    tell,
    submit: i18n._(msg`Remove`),
    submitting: i18n._(msg`Removing…`),
    cancel,
    done: i18n._(msg`Removed.`),
  } as const;
  return {
    enrolled: removed,
    invited: removed,
    waitlisted: removed,
    applied: {
      move: 'refuse',
      title: i18n._(msg`Turn ${name} down?`),
      explanation: i18n._(
        msg`${name} can’t ask again without you: only you can invite or add them later.`,
      ),
      tell,
      submit: i18n._(msg`Turn down`),
      submitting: i18n._(msg`One moment…`),
      cancel,
      done: i18n._(msg`Turned down.`),
    },
    offered: {
      move: 'withdraw',
      title: i18n._(msg`Withdraw the offer to ${name}?`),
      explanation: i18n._(
        msg`The place becomes free for the next person. ${name} isn’t put back on the waitlist and can’t return without you: only you can invite or add them again.`,
      ),
      tell,
      submit: i18n._(msg`Withdraw the offer`),
      submitting: i18n._(msg`Withdrawing…`),
      cancel,
      done: i18n._(msg`Offer withdrawn.`),
    },
  } as const satisfies Ends;
}

type RowProps = {
  cohort: OwnCohort;
  person: Enrollment;
  /** Before the disc, such as the number on the waitlist. */
  lead?: ReactNode;
  /** What they owe and have paid. */
  account?: Account | undefined;
  /** Between the name and the menu. */
  children: ReactNode;
};

/** Someone on a list: one link and one menu. */
export function PersonItem({ cohort, person, lead, account, children }: RowProps) {
  const { i18n, t } = useLingui();
  const { id, name, email, status, completed_at: completedAt } = person;
  const since = dayIn(cohort.time_zone, new Date(person.status_changed_at));
  return (
    <li className="person-row">
      {lead}
      <PersonDisc id={person.person_id} name={name} />
      <div className="person-name">
        <a
          // What the button that approves them is described by.
          id={status === 'applied' ? `name-${id}` : undefined}
          href={paths.participant(cohort.id, id)}
          data-name
          dir="auto"
        >
          {name}
        </a>
        <span className="text-muted">
          <EmailAddress>{email}</EmailAddress>
        </span>
      </div>
      {children}
      <button
        type="button"
        className="icon-button noscript:hidden"
        popoverTarget={peopleMenuId}
        data-person={id}
        data-person-id={person.person_id}
        data-since={dayOfYear(since, i18n.locale)}
        data-status={status}
        data-completed={completedAt !== null}
        data-due={account && Math.max(0, account.balance)}
        data-paid={account && account.paid - account.refunded}
        data-online={account?.online}
      >
        <span className="icon icon-more" />
        {/* Not an attribute, which recordings do not mask. */}
        <span className="sr-only">{t`More about ${name}`}</span>
      </button>
    </li>
  );
}

/** The day of a moment, in the cohort's zone. */
export function DayOf({ at, cohort }: { at: string; cohort: OwnCohort }) {
  const { i18n } = useLingui();
  return <time dateTime={at}>{dayOfYear(dayIn(cohort.time_zone, new Date(at)), i18n.locale)}</time>;
}

/** What is not as usual. */
export function Badges({ person, hasStatus }: { person: Enrollment; hasStatus: boolean }) {
  const { i18n, t } = useLingui();
  const { status } = person;
  const badges = [
    hasStatus && status !== 'enrolled' && { text: statusName(i18n, status) },
    person.undeliverable_since !== null && { look: 'bounced', text: t`Email bounced` },
    person.over_capacity && { look: 'full', text: t`Over capacity` },
    person.completed_at !== null && { look: 'running', text: t`Completed` },
  ];
  return (
    <span className="person-badges">
      {badges.map(
        (badge) =>
          badge && (
            <span key={badge.text} className="chip status" data-status={badge.look}>
              {badge.text}
            </span>
          ),
      )}
    </span>
  );
}

const statusNames: Record<EnrollmentStatus, MessageDescriptor> = {
  enrolled: msg`Enrolled`,
  offered: msg`Offered a place`,
  invited: msg`Invited`,
  waitlisted: msg`Waiting`,
  applied: msg`Applied`,
  declined: msg`Declined`,
  refused: msg`Turned down`,
  expired: msg`Expired`,
  left: msg`Left`,
  removed: msg`Removed`,
};

/** Where someone stands, in a word or two. */
export function statusName(i18n: I18n, status: EnrollmentStatus): string {
  return i18n._(statusNames[status]);
}
