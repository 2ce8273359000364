import type { I18n, MessageDescriptor } from '@lingui/core';
import { msg, plural } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import type { EnrollmentStatus } from '#db/values.ts';
import type { RosterFilter } from '#features/places/find-enrollments.ts';
import { peopleMessages } from '#features/places/form-messages.ts';
import type { Enrollment } from '#features/places/schema.ts';
import type { OwnCohort } from '#features/planning/find-own-cohort.ts';
import { dayIn, dayOfYear } from '#lib/time/words.ts';
import { paths } from '#paths.ts';
import { EmailAddress } from '#ui/email-address.tsx';
import { PersonDisc } from '#ui/person-disc.tsx';
import { isPast } from './past-cohort.tsx';
import { type Ends, PeopleMenu, peopleMenuId } from './people-menu.tsx';
import type { RemoveTexts } from './remove-dialog.tsx';

type PeopleProps = {
  cohort: OwnCohort;
  now: Date;
  children: ReactNode;
};

/** Lists of people, whose rows share one menu. */
export function PeopleLists({ cohort, now, children }: PeopleProps) {
  const { i18n, t } = useLingui();
  const over = overWords(i18n, cohort);
  const [moment, done] = [t`One moment…`, t`Added to the roster.`];
  return (
    <PeopleMenu
      cohortId={cohort.id}
      isFull={isFull(cohort)}
      canWait={cohort.waitlist}
      hasBegun={new Date(cohort.starts_at) <= now}
      isPast={isPast(cohort, now)}
      canTell={cohort.archived_at === null}
      messages={peopleMessages(i18n)}
      texts={{
        waiting: moment,
        details: t`Details`,
        resend: { label: t`Send the link again`, pending: t`Sending…`, done: t`Link sent.` },
        offer: { label: t`Offer a place now`, pending: t`Offering…`, done: t`Place offered.` },
        offerOver: {
          label: t`Offer a place anyway`,
          pending: t`Offering…`,
          done: t`Place offered.`,
        },
        add: { label: t`Add now`, pending: t`Adding…`, done },
        addOver: { label: over, pending: t`Adding…`, done },
        complete: {
          label: t`Mark as completed`,
          pending: moment,
          done: t`Marked as completed.`,
        },
        uncomplete: {
          label: t`Undo “completed”`,
          pending: moment,
          done: t`No longer marked as completed.`,
        },
        approve: approveWords(i18n, cohort),
        ends: endTexts(i18n),
      }}
    >
      {children}
    </PeopleMenu>
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

/** `All 20 places are taken.` */
export function fullWords(i18n: I18n, { capacity }: OwnCohort): string {
  return i18n._(
    msg`${plural(capacity ?? 0, { one: 'The only place is taken.', other: 'All # places are taken.' })}`,
  );
}

/** Of the button that lets someone in who asks for a place. */
export function approveWords(i18n: I18n, cohort: OwnCohort) {
  return isFull(cohort)
    ? {
        label: i18n._(msg`Move to the waitlist`),
        pending: i18n._(msg`One moment…`),
        done: i18n._(msg`Put on the waitlist.`),
      }
    : {
        label: i18n._(msg`Approve`),
        pending: i18n._(msg`One moment…`),
        done: i18n._(msg`Approved.`),
      };
}

/** How people lose their place, or the way to one. */
export function endTexts(i18n: I18n): Ends {
  const removed = {
    label: i18n._(msg`Remove`),
    move: 'remove',
    dialog: removeTexts(i18n),
  } as const;
  return {
    enrolled: removed,
    invited: removed,
    waitlisted: removed,
    applied: { label: i18n._(msg`Turn down`), move: 'refuse', dialog: refuseTexts(i18n) },
    offered: {
      label: i18n._(msg`Withdraw the offer`),
      move: 'withdraw',
      dialog: withdrawTexts(i18n),
    },
  };
}

/** The texts of the dialog that turns someone down. */
function refuseTexts(i18n: I18n): RemoveTexts {
  // Filled in where the person is chosen.
  const name = '{name}';
  return {
    title: i18n._(msg`Turn ${name} down?`),
    explanation: i18n._(
      msg`${name} can’t ask again without you: only you can invite or add them later.`,
    ),
    tell: i18n._(msg`Tell ${name} by email`),
    submit: i18n._(msg`Turn down`),
    submitting: i18n._(msg`One moment…`),
    cancel: i18n._(msg`Cancel`),
    done: i18n._(msg`Turned down.`),
  };
}

/** The texts of the dialog that removes someone. */
function removeTexts(i18n: I18n): RemoveTexts {
  // Filled in where the person is chosen.
  const name = '{name}';
  return {
    title: i18n._(msg`Remove ${name}?`),
    explanation: i18n._(
      msg`The place becomes free. ${name} can’t come back without you: only you can invite or add them again.`,
    ),
    tell: i18n._(msg`Tell ${name} by email`),
    submit: i18n._(msg`Remove`),
    submitting: i18n._(msg`Removing…`),
    cancel: i18n._(msg`Cancel`),
    done: i18n._(msg`Removed.`),
  };
}

/** The texts of the dialog that takes an offer back. */
export function withdrawTexts(i18n: I18n): RemoveTexts {
  // Filled in where the person is chosen.
  const name = '{name}';
  return {
    ...removeTexts(i18n),
    title: i18n._(msg`Withdraw the offer to ${name}?`),
    explanation: i18n._(
      msg`The place becomes free for the next person. ${name} isn’t put back on the waitlist and can’t return without you: only you can invite or add them again.`,
    ),
    submit: i18n._(msg`Withdraw the offer`),
    submitting: i18n._(msg`Withdrawing…`),
    done: i18n._(msg`Offer withdrawn.`),
  };
}

type RowProps = {
  cohort: OwnCohort;
  person: Enrollment;
  /** Before the disc, such as the number on the waitlist. */
  lead?: ReactNode;
  /** Between the name and the menu. */
  children: ReactNode;
};

/** Someone on a list: one link and one menu. */
export function PersonItem({ cohort, person, lead, children }: RowProps) {
  const { t } = useLingui();
  const { id, name, email, status, completed_at: completedAt } = person;
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
        data-status={status}
        data-completed={completedAt !== null}
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
  const { i18n } = useLingui();
  const { status } = person;
  return (
    <span className="person-badges">
      {hasStatus && status !== 'enrolled' && (
        <span className="chip status">{statusName(i18n, status)}</span>
      )}
      {person.undeliverable_since !== null && (
        <span className="chip status" data-status="bounced">
          <Trans>Email bounced</Trans>
        </span>
      )}
      {person.over_capacity && (
        <span className="chip status" data-status="full">
          <Trans>Over capacity</Trans>
        </span>
      )}
      {person.completed_at !== null && (
        <span className="chip status" data-status="running">
          <Trans>Completed</Trans>
        </span>
      )}
    </span>
  );
}

const filterNames: Record<RosterFilter, MessageDescriptor> = {
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
  return i18n._(filterNames[status]);
}
