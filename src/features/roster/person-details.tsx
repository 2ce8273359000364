import { Trans, useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { ChangeButton } from '#features/cohorts/cohort-button.tsx';
import { Answer } from '#features/enrolling/answer.tsx';
import { PersonPayments } from '#features/ledger/ledger-parts.tsx';
import type { BalanceDetails } from '#features/ledger/schema.ts';
import { meetingPaths } from '#features/meetings/meeting-paths.ts';
import type { Progress } from '#features/places/find-standings.ts';
import { peopleMessages } from '#features/places/form-messages.ts';
import { LanguageSelect } from '#features/places/language-select.tsx';
import type { EnrollmentDetails } from '#features/places/schema.ts';
import type { OwnCohort } from '#features/planning/own-cohorts.ts';
import { PersonData } from '#features/rights/person-data.tsx';
import { dayIn, dayOfYear, momentIn } from '#lib/time/words.ts';
import { paths } from '#paths.ts';
import { OpenButton } from '#ui/dialog.tsx';
import { EmailAddress } from '#ui/email-address.tsx';
import { Field } from '#ui/form.tsx';
import { LinkedText } from '#ui/linked-text.tsx';
import { PersonDisc } from '#ui/person-disc.tsx';
import { SettingsSection } from '#ui/settings-section.tsx';
import { TextArea } from '#ui/text-area.tsx';
import { CompleteDialog } from './complete-dialog.tsx';
import { EditPersonForm } from './edit-person-form.tsx';
import { CompleteButton, MarkButton, MoveButton } from './enrollment-button.tsx';
import { EventSentence } from './event-sentence.tsx';
import type { Target } from './find-targets.ts';
import { LeftDialog } from './left-dialog.tsx';
import { leftMessages, leftTexts } from './left-texts.ts';
import {
  actionWords,
  Badges,
  canApprove,
  DayOf,
  earlyTexts,
  endTexts,
  isFull,
  isPast,
  payFirstWords,
  statusName,
} from './people-lists.tsx';
import type { Ends } from './people-menu.tsx';
import { RemoveDialog } from './remove-dialog.tsx';
import { completeDialogId, leftDialogId, removeDialogId, settleDialogId } from './roster-paths.ts';
import { TransferSection } from './transfer-section.tsx';

type DetailsProps = { cohort: OwnCohort; details: EnrollmentDetails; now: Date };

/** `lessons` and `attendance` are sections about what they did and where they were. */
type PersonProps = DetailsProps & {
  /** How they get on; null for someone who was never enrolled. */
  progress: Progress | null;
  targets: Target[];
  lessons: ReactNode;
  attendance: ReactNode;
  /** Null without an account. */
  balance: BalanceDetails | null;
  /** What Stripe can still send back, and what it is about to. */
  online: { refundable: number; underWay: number };
  /** Who is first on the waitlist; null if no one waits. */
  nextWaiting: string | null;
};

/**
 * Someone in a cohort: where they stand and what can be done, what has happened, and what is kept
 * about them.
 */
export function PersonDetails(props: PersonProps) {
  const { cohort, details, progress, targets, balance, lessons, attendance } = props;
  const { i18n, t } = useLingui();
  const { person, events, status, left_note: leftNote, undeliverable_since: bouncedAt } = details;
  const day = bouncedAt && <DayOf at={bouncedAt} cohort={cohort} />;
  const endsAt = progress?.accessEndsAt ? new Date(progress.accessEndsAt) : null;
  return (
    <div className="settings-parts @container" data-sentry-mask>
      <p>
        <a className="link" href={paths.roster(cohort.id)}>
          <Trans>Back to the roster</Trans>
        </a>
      </p>
      <div className="person-head">
        <PersonDisc id={person.id} name={person.name} />
        <div className="flex-[1_1_10rem]">
          <h2 dir="auto">{person.name}</h2>
          <p className="text-muted">
            <EmailAddress>{person.email}</EmailAddress>
          </p>
          {bouncedAt !== null && (
            <p className="mt-1 text-danger">
              <Trans>
                Email to this address has bounced since {day}. Ask for another address, and change
                it below.
              </Trans>
            </p>
          )}
        </div>
        <Actions {...props} />
      </div>
      {/* Where someone stands, what they owe, and what is noted about them. */}
      <div className="mb-7 grid max-w-[44rem] justify-items-start gap-3 wrap-anywhere">
        <Standing cohort={cohort} details={details} progress={progress} />
        {endsAt !== null && <AccessLine endsAt={endsAt} cohort={cohort} now={props.now} />}
        {balance && (
          <PersonPayments cohortId={cohort.id} balance={balance}>
            {props.online.underWay > 0 ? (
              <p>
                <Trans>Stripe is about to send back what was paid online.</Trans>
              </p>
            ) : (
              <OpenButton dialogId={settleDialogId} className="button">
                <Trans>Left: refund, waive or keep?</Trans>
              </OpenButton>
            )}
          </PersonPayments>
        )}
        <PrivateNote label={t`Private note:`} text={person.note} />
        <PrivateNote label={t`Private note on leaving:`} text={leftNote} />
        <Answer of={details} />
      </div>
      <SettingsSection
        id="person-history"
        title={t`History`}
        description={cohort.kind === 'open' ? t`In this course.` : t`In this cohort.`}
      >
        <ol className="events">
          {events.toReversed().map((event) => (
            <li key={`${event.at} ${event.to_status}`}>
              <span>
                <EventSentence event={event} name={person.name} />
              </span>
              <time className="text-muted" dateTime={event.at}>
                {momentIn(cohort.time_zone, new Date(event.at), i18n.locale)}
              </time>
            </li>
          ))}
        </ol>
      </SettingsSection>
      {lessons}
      {attendance}
      {status === 'enrolled' && (
        <TransferSection
          cohort={cohort}
          enrollmentId={details.id}
          name={person.name}
          targets={targets}
        />
      )}
      <SettingsSection
        id="person-about"
        title={t`About this person`}
        description={
          cohort.kind === 'open'
            ? t`The same in all your courses.`
            : t`The same in all your cohorts.`
        }
      >
        <About details={details} />
      </SettingsSection>
      <PersonData person={person} cohort={cohort} />
    </div>
  );
}

type StandingProps = Pick<PersonProps, 'cohort' | 'details' | 'progress'>;

function Standing({ cohort, details, progress }: StandingProps) {
  const { i18n, t } = useLingui();
  const state = <strong>{statusName(i18n, details.status)}</strong>;
  const day = <DayOf at={details.status_changed_at} cohort={cohort} />;
  return (
    <p className="with-chip">
      <span>
        <Trans>
          {state} since {day}
        </Trans>
      </span>
      {progress?.standing === 'stuck' && (
        <span className="chip status" data-status="full">
          {t({ message: 'Stuck', context: 'person' })}
        </span>
      )}
      {progress?.standing === 'not_started' && (
        <span className="chip status">{t({ message: 'Not started', context: 'person' })}</span>
      )}
      <Badges person={details} hasStatus={false} />
    </p>
  );
}

type AccessProps = { endsAt: Date; cohort: OwnCohort; now: Date };

/** Until when they can read the lessons. */
function AccessLine({ endsAt, cohort, now }: AccessProps) {
  const day = <DayOf at={endsAt.toISOString()} cohort={cohort} />;
  return (
    <p className="text-muted">
      {endsAt > now ? (
        <Trans>Can read the lessons until {day}</Trans>
      ) : (
        <Trans>Could read the lessons until {day}</Trans>
      )}
    </p>
  );
}

function PrivateNote({ label, text }: { label: string; text: string | null }) {
  return (
    text !== null && (
      <p className="whitespace-pre-line">
        <span className="text-muted">{label}</span>{' '}
        <bdi>
          <LinkedText text={text} />
        </bdi>
      </p>
    )
  );
}

const menuId = 'person-actions';

/** Answers to a request, and a menu of all other actions. */
function Actions(props: PersonProps) {
  const { cohort, details, now, balance, online } = props;
  const { i18n, t } = useLingui();
  const { id, person, status, completed_at: completedAt } = details;
  const { name } = person;
  const hasBegun = new Date(cohort.starts_at) <= now;
  const canCome = !isPast(cohort, now);
  const isAsking = status === 'applied';
  const ends: Ends = endTexts(i18n);
  const end = ends[status];
  const words = actionWords(i18n, cohort, now);
  const { page: _, ...approve } = words.approve;
  const canComplete = status === 'enrolled' && hasBegun && completedAt === null;
  const early = canComplete ? earlyTexts(i18n, cohort, now) : null;
  // What is open on the account of someone who has left.
  const isUnsettled = balance?.to_settle ?? false;
  const isOver = isFull(cohort) && status !== 'offered';
  const of = { cohortId: cohort.id, enrollmentId: id };
  const item = { ...of, className: 'menu-item' };
  return (
    <div className="actions ms-auto flex-none">
      {isAsking && canApprove(cohort, now) && (
        <>
          <MoveButton {...of} {...approve} move="approve" className="button button-primary" />
          {!isFull(cohort) && <p className="hint">{payFirstWords(i18n, cohort, now)}</p>}
        </>
      )}
      <button type="button" className="button button-menu" popoverTarget={menuId}>
        <span className="icon icon-more" />
        <span className="sr-only">{t`More about ${name}`}</span>
      </button>
      <div id={menuId} popover="auto" data-menu className="menu">
        {status !== 'enrolled' && canCome && (!isAsking || isOver) && (
          <MoveButton
            {...item}
            {...(isOver ? words.addOver : words.add)}
            move="add"
            isOver={isOver}
          />
        )}
        {early && (
          <OpenButton dialogId={completeDialogId} className="menu-item">
            {words.complete.children}
          </OpenButton>
        )}
        {canComplete && !early && <CompleteButton {...item} {...words.complete} />}
        {completedAt !== null && (
          <>
            <a className="menu-item" href={meetingPaths.attestation(cohort.id, id)}>
              <Trans>Certificate</Trans>
            </a>
            <MarkButton {...item} {...words.uncomplete} mark="uncomplete" />
          </>
        )}
        <MarkButton {...item} {...words.resend} mark="resend" />
        <ChangeButton
          path={`/api/people/${person.id}/link/` as const}
          pendingLabel={t`Sending…`}
          done={t`New link sent.`}
          className="menu-item"
        >
          <Trans>Reset personal link</Trans>
        </ChangeButton>
        {status === 'enrolled' && (
          <OpenButton dialogId={leftDialogId} className="menu-item">
            <Trans>Mark as left…</Trans>
          </OpenButton>
        )}
        {end && (
          <OpenButton dialogId={removeDialogId} className="menu-item menu-last text-danger">
            {end.submit}
          </OpenButton>
        )}
      </div>
      {early && (
        <CompleteDialog
          cohortId={cohort.id}
          person={{ enrollmentId: id, name }}
          messages={peopleMessages(i18n)}
          texts={early}
        />
      )}
      {(status === 'enrolled' || isUnsettled) && (
        <LeftDialog
          {...of}
          id={isUnsettled ? settleDialogId : leftDialogId}
          personId={person.id}
          name={name}
          since={
            status === 'enrolled'
              ? dayOfYear(dayIn(cohort.time_zone, new Date(details.status_changed_at)), i18n.locale)
              : null
          }
          account={{
            due: Math.max(0, balance?.balance_minor ?? 0),
            paid: balance ? balance.paid_minor - balance.refunded_minor : 0,
            online: online.refundable,
          }}
          currency={balance?.currency ?? null}
          locale={i18n.locale}
          isSettling={isUnsettled}
          canTell={cohort.archived_at === null}
          messages={leftMessages(i18n)}
          texts={leftTexts(i18n, cohort, props.nextWaiting)}
        />
      )}
      {end && (
        <RemoveDialog
          {...of}
          id={removeDialogId}
          name={name}
          messages={peopleMessages(i18n)}
          canTell={cohort.archived_at === null}
          end={end}
        />
      )}
    </div>
  );
}

function About({ details: { person } }: { details: EnrollmentDetails }) {
  const { i18n, t } = useLingui();
  const { id, name, email, language, note } = person;
  const stored = { name, email, language, note: note ?? '' };
  const who = <bdi>{name}</bdi>;
  return (
    <EditPersonForm
      // A new form for what was saved: the server may write it differently.
      key={Object.values(stored).join('\n')}
      id={id}
      messages={peopleMessages(i18n)}
      stored={stored}
      texts={{
        save: t`Save changes`,
        saving: t`Saving…`,
        unsaved: t`Not saved yet`,
        saved: t`Person saved.`,
      }}
    >
      <Field label={t`Name`} name="name" dir="auto" autoComplete="off" required />
      <Field
        label={t`Email address`}
        name="email"
        type="email"
        autoComplete="off"
        hint={t`A new address gets a new link, and old links stop working.`}
        required
      />
      <LanguageSelect label={t`Language of their emails`} language={language} />
      <TextArea
        name="note"
        label={t`Note`}
        hint={<Trans>Private note, up to 500 characters. {who} can request a copy of it.</Trans>}
        rows={3}
        dir="auto"
      />
    </EditPersonForm>
  );
}
