import type { I18n } from '@lingui/core';
import { msg, plural } from '@lingui/core/macro';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { AddressLine } from '#features/cohorts/address-line.tsx';
import { ChangeButton, PurgeButton } from '#features/cohorts/cohort-button.tsx';
import { cohortPaths } from '#features/cohorts/cohort-paths.ts';
import { isOngoing, takenPlaces } from '#features/cohorts/cohort-status.ts';
import { CopyButton } from '#features/cohorts/copy-button.tsx';
import { Seats, Weeks, weekOf } from '#features/cohorts/drawings.tsx';
import { enrollmentSentence, takenWords } from '#features/cohorts/enrollment-words.ts';
import type { Cohort } from '#features/cohorts/schema.ts';
import { DeletionButton } from '#features/settings/delete-dialog.tsx';
import { ProofDialog } from '#features/sign-in/proof-dialog.tsx';
import { dayMs, dayOfWallTime } from '#lib/time/calendar.ts';
import { dayIn, dayOfYear, longDate } from '#lib/time/words.ts';
import { fromJson } from '#lib/to-json.ts';
import { apiPaths, emailPaths, paths, serverPaths } from '#paths.ts';
import { CloseButton, Dialog } from '#ui/dialog.tsx';
import { WaitingWords } from './cohort-rows.tsx';
import { DraftChecklist } from './draft-checklist.tsx';
import { UndecidedMoney } from './notify-fields.tsx';
import type { OwnCohort } from './own-cohorts.ts';

type OverviewProps = {
  cohort: OwnCohort;
  viewer: { name: string; email: string };
  now: Date;
  /** The session that comes next, what has happened last and what goes out; null without any. */
  next: ReactNode;
  activity: ReactNode;
  emails: ReactNode;
  /** The session that is on or about to begin. It replaces the sentence. */
  lead?: ReactNode;
  /** Who is there. */
  presence?: ReactNode;
  /** Who still has to pay. */
  owing?: ReactNode;
};

const addressId = 'public-address';

/** What a cohort is now, in a sentence, and the one thing to do. */
export function CohortOverview(props: OverviewProps) {
  const { cohort, viewer, now, next, activity, emails, lead, presence, owing } = props;
  const { i18n, t } = useLingui();
  const { status, capacity } = cohort;
  const { applied, waitlisted } = cohort.counts;
  const week = weekOf(fromJson(cohort), dayIn(cohort.time_zone, now));
  const isPublic = cohort.published_at !== null && cohort.deleted_at === null;
  if (status === 'draft') {
    return (
      <div className="cohort-overview">
        <section aria-labelledby="state" className="cohort-state">
          <DraftChecklist cohort={cohort} viewer={viewer} now={now} />
          {activity}
        </section>
        <div className="cohort-aside">
          <SharedCover cohort={cohort} teacher={viewer.name} />
          <PublicAddress url={cohort.public_url}>
            <Trans>Works as soon as you publish.</Trans>
          </PublicAddress>
        </div>
      </div>
    );
  }
  if (lead) {
    return (
      <>
        {lead}
        <div className="cohort-overview">
          {presence}
          {(owing || emails) && (
            <div className="cohort-aside">
              {owing}
              {emails}
            </div>
          )}
        </div>
      </>
    );
  }
  return (
    <div className="cohort-overview">
      <section aria-labelledby="state" className="cohort-state">
        <h2 id="state">
          {stateSentence(i18n, cohort, status, week)}
          {isOngoing(status) && (
            <>
              <WaitingWords count={applied} after=" ">
                <Plural
                  value={cohort.counts.applied}
                  one="# person has asked to join."
                  other="# people have asked to join."
                />
              </WaitingWords>
              <WaitingWords count={waitlisted} after=" ">
                <Plural
                  value={cohort.counts.waitlisted}
                  one="# person is waiting."
                  other="# people are waiting."
                />
              </WaitingWords>
            </>
          )}
        </h2>
        {status === 'running' && <Weeks {...week} />}
        {isOngoing(status) && status !== 'running' && (
          <Seats capacity={capacity} taken={takenPlaces(cohort.counts)} waiting={waitlisted} />
        )}
        {(status !== 'finished' || cohort.counts.enrolled > 0) && (
          <p className="text-muted">
            <StateText cohort={cohort} />
          </p>
        )}
        {status === 'trashed' && <UndecidedMoney cohort={cohort} />}
        {status === 'trashed' ? (
          <div className="actions">
            <ChangeButton
              path={cohortPaths.change(cohort.id, 'restore')}
              asksFirst
              pendingLabel={t`Restoring…`}
              done={t`Cohort restored.`}
              className="button button-primary"
            >
              <Trans>Restore</Trans>
            </ChangeButton>
            <PurgeCohort cohort={cohort} email={viewer.email} />
            {cohort.price_minor !== null && (
              <p className="hint">
                <Trans>
                  Restoring also undoes your decision about the money, except for what Stripe has
                  already refunded.
                </Trans>
              </p>
            )}
          </div>
        ) : (
          <NextStep cohort={cohort} />
        )}
        {cohort.deleted_at === null && activity}
      </section>
      {(next || isPublic) && (
        <div className="cohort-aside">
          {next && <div className="card">{next}</div>}
          {isPublic && (
            <PublicAddress url={cohort.public_url}>
              <Trans>Anyone with the link can see the page.</Trans>
            </PublicAddress>
          )}
          {isPublic && emails}
        </div>
      )}
    </div>
  );
}

/** The link of its public page, and for whom it works. */
function PublicAddress({ url, children }: { url: string; children: ReactNode }) {
  return (
    <section aria-labelledby="public-page" className="public-address">
      <h3 id="public-page">
        <Trans>Public link</Trans>
      </h3>
      <p className="hint">{children}</p>
      <AddressLine id={addressId} url={url} />
    </section>
  );
}

/** Of all but a draft, whose checklist says more. */
function stateSentence(
  i18n: I18n,
  cohort: Cohort,
  status: Exclude<Cohort['status'], 'draft'>,
  { week, weeks }: ReturnType<typeof weekOf>,
) {
  const { capacity } = cohort;
  const start = dayOfYear(cohort.starts_on, i18n.locale);
  const opens = dayOfYear(
    dayOfWallTime(cohort.enrollment_opens_local ?? cohort.starts_on),
    i18n.locale,
  );
  const texts = {
    trashed: msg`This cohort is in the trash.`,
    archived: msg`This cohort is archived.`,
    finished: msg`This cohort has ended.`,
    running: msg`Week ${week} of ${weeks}.`,
    scheduled: msg`Enrollment opens on ${opens}.`,
    enrolling: capacity === null ? msg`Enrollment is open.` : takenWords(cohort.counts, capacity),
    full: takenWords(cohort.counts, capacity ?? 0),
    upcoming: msg`It starts on ${start}.`,
  };
  return i18n._(texts[status]);
}

/** The head that a shared link shows. */
function SharedCover({ cohort, teacher }: { cohort: OwnCohort; teacher: string }) {
  return (
    <figure className="grid gap-2">
      <div
        className="cover grid min-h-[10.5rem] content-start rounded-book pt-6 pe-6 pb-5 ps-11 font-normal text-[0.9375rem]/5"
        data-hue={cohort.courseHue}
      >
        <p className="font-sans font-normal text-[0.9375rem]/5 opacity-85" dir="auto">
          {cohort.courseName}
        </p>
        <p className="mt-1 mb-6 font-serif font-semibold text-[1.625rem]/8" dir="auto">
          {cohort.name}
        </p>
        <p className="self-end font-sans font-normal text-[0.9375rem]/5 opacity-85" dir="auto">
          {[teacher, cohort.second_teacher].filter(Boolean).join(', ')}
        </p>
      </div>
      <figcaption className="hint">
        <Trans>A shared link shows this text beside a cover of this color.</Trans>
      </figcaption>
    </figure>
  );
}

/** How many people there are, where the sentence above does not say it. */
function peopleWords(i18n: I18n, cohort: Cohort): string | null {
  const { status, capacity, counts, minimum_people: minimum } = cohort;
  const isSaid = status === 'full' || (status === 'enrolling' && capacity !== null);
  const people =
    capacity === null
      ? msg`${plural(counts.enrolled, { 0: 'No one is enrolled yet.', one: '# person is enrolled.', other: '# people are enrolled.' })}`
      : takenWords(counts, capacity);
  const missing = (minimum ?? 0) - counts.enrolled;
  const missed = msg`${plural(missing, { one: '# more is needed for your minimum.', other: '# more are needed for your minimum.' })}`;
  const words = [...(isSaid ? [] : [i18n._(people)]), ...(missing > 0 ? [i18n._(missed)] : [])];
  return words.length > 0 ? words.join(' ') : null;
}

function StateText({ cohort }: { cohort: Cohort }) {
  const { i18n } = useLingui();
  const { enrolled } = cohort.counts;
  switch (cohort.status) {
    case 'trashed': {
      const purgeDate = new Date(Date.parse(cohort.deleted_at ?? '') + keptInTrashMs);
      const day = <span>{longDate(purgeDate, i18n.locale)}</span>;
      return <Trans>Its public page can’t be seen. It is deleted permanently after {day}.</Trans>;
    }
    case 'archived':
      return cohort.published_at === null ? (
        <Trans>Everything stays readable.</Trans>
      ) : (
        <Trans>Everything stays readable. Its public page says that it has ended.</Trans>
      );
    case 'finished':
      return <Plural value={enrolled} one="# person took part." other="# people took part." />;
    default:
      return [peopleWords(i18n, cohort), enrollmentSentence(i18n, cohort)]
        .filter(Boolean)
        .join(' ');
  }
}

const keptInTrashMs = 30 * dayMs;

/** The one thing to do, and what is beside it. */
function NextStep({ cohort }: { cohort: OwnCohort }) {
  const { t } = useLingui();
  const { id, status } = cohort;
  if (status === 'archived' || status === 'finished') {
    // An evergreen course gets no new ones.
    return cohort.courseType === 'evergreen' ? null : (
      <div className="actions">
        <a className="button button-primary" href={serverPaths.copyCohort(id)}>
          <Trans>Duplicate for the next group</Trans>
        </a>
      </div>
    );
  }
  const isDecisionNext = cohort.counts.applied > 0;
  const isQueueNext = cohort.counts.places_left === 0 && cohort.counts.waitlisted > 0;
  const isTeachingNext = status === 'running' && cohort.enrollment_state === 'closed';
  return (
    <div className="actions">
      {isDecisionNext && (
        <a className="button button-primary" href={`${paths.roster(id)}?status=applied`}>
          <Trans>See the requests</Trans>
        </a>
      )}
      {isDecisionNext ? null : isQueueNext ? (
        <a className="button button-primary" href={serverPaths.waitlist(id)}>
          <Trans>See the waitlist</Trans>
        </a>
      ) : isTeachingNext ? (
        <a className="button button-primary" href={emailPaths.message(id)}>
          <Trans>Write to the group</Trans>
        </a>
      ) : (
        <CopyButton
          text={cohort.public_url}
          label={t`Copy link`}
          copied={t`Copied`}
          shownIn={addressId}
          className="button button-primary"
        />
      )}
      <EnrollmentControl cohort={cohort} />
    </div>
  );
}

/** Opens or closes enrollment by hand, or lets its dates decide again. */
function EnrollmentControl({ cohort }: { cohort: Cohort }) {
  const { t } = useLingui();
  const { id, enrollment_state: state, enrollment_override: override, join_mode } = cohort;
  const changes = {
    plan: {
      input: { enrollment_override: null },
      pendingLabel: t`One moment…`,
      done: t`Enrollment follows its dates again.`,
      children: t`Follow the planned dates`,
    },
    open: {
      input: { enrollment_override: 'open' },
      pendingLabel: t`Opening…`,
      done: t`Enrollment is open.`,
      children: t`Open enrollment now`,
    },
    close: {
      input: { enrollment_override: 'closed' },
      pendingLabel: t`Closing…`,
      done: t`Enrollment is closed.`,
      children: t`Close enrollment now`,
    },
  } as const;
  if (join_mode === 'invitation') {
    return null;
  }
  const isClosed = state === 'not_yet' || state === 'closed';
  const { input, ...button } = changes[override !== null ? 'plan' : isClosed ? 'open' : 'close'];
  return (
    <ChangeButton
      path={apiPaths.cohort(id)}
      call={{ method: 'PATCH', input }}
      className="button"
      {...button}
    />
  );
}

const dialogId = 'purge-cohort';

function PurgeCohort({ cohort, email }: { cohort: Cohort; email: string }) {
  const { t } = useLingui();
  const name = <bdi>{cohort.name}</bdi>;
  return (
    <>
      <DeletionButton dialogId={dialogId}>
        <Trans>Delete permanently</Trans>
      </DeletionButton>
      <Dialog id={dialogId} title={t`Delete this cohort permanently?`}>
        <p>
          <Trans>{name} and everything in it will be deleted. It can’t be undone.</Trans>
        </p>
        <div className="dialog-foot">
          <CloseButton dialogId={dialogId}>
            <Trans>Cancel</Trans>
          </CloseButton>
          <PurgeButton
            id={cohort.id}
            pendingLabel={t`Deleting…`}
            done={t`Cohort deleted.`}
            className="button button-delete"
          >
            <Trans>Delete permanently</Trans>
          </PurgeButton>
        </div>
      </Dialog>
      <ProofDialog email={email} />
    </>
  );
}
