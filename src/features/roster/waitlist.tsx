import { Trans, useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { Countdown } from '#features/enrolling/countdown.tsx';
import { peopleMessages } from '#features/places/form-messages.ts';
import type { Enrollment, WaitlistPage } from '#features/places/schema.ts';
import type { OwnCohort } from '#features/planning/own-cohorts.ts';
import { serverPaths } from '#paths.ts';
import { OpenButton } from '#ui/dialog.tsx';
import { Empty } from '#ui/empty.tsx';
import { MoveButton } from './enrollment-button.tsx';
import { actionWords, DayOf, endTexts, isFull, PeopleLists, PersonItem } from './people-lists.tsx';
import { RemoveDialog } from './remove-dialog.tsx';

type WaitlistProps = { cohort: OwnCohort; waitlist: WaitlistPage; now: Date };

/** Who is offered a place and who waits for one, below why no one else is offered one. */
export function Waitlist({ cohort, waitlist, now }: WaitlistProps) {
  const { i18n, t } = useLingui();
  const { items, next } = waitlist;
  const offered = items.filter(({ status }) => status === 'offered');
  const waiting = items.filter(({ status }) => status === 'waitlisted');
  if (items.length === 0) {
    const hours = <span>{cohort.offer_hours}</span>;
    return (
      <Empty title={t`No one is waiting.`}>
        <p>
          {cohort.waitlist ? (
            <Trans>
              When all places are taken, people can join the waitlist. Free places are offered in
              order, each for {hours} hours.
            </Trans>
          ) : (
            <Trans>The waitlist is switched off, so no one can join it.</Trans>
          )}
        </p>
        {!cohort.waitlist && (
          <a className="button" href={serverPaths.cohortSettings(cohort.id)}>
            {cohort.kind === 'open' ? <Trans>Settings</Trans> : <Trans>Cohort settings</Trans>}
          </a>
        )}
      </Empty>
    );
  }
  // Where the browser puts the time in.
  const time = '#';
  // The same for all offers, so that the page has them once.
  const [messages, end] = [peopleMessages(i18n), endTexts(i18n).offered];
  return (
    <div className="waitlist" data-sentry-mask>
      <Reason cohort={cohort} now={now} waitlist={waitlist} first={waiting[0] ?? null} />
      <PeopleLists cohort={cohort} now={now}>
        {offered.length > 0 && (
          <section aria-labelledby="offered">
            <h3 id="offered" className="mb-3 text-[0.9375rem]">
              <Trans>Offered a place</Trans>
            </h3>
            <ul className="person-rows">
              {offered.map((person) => {
                const dialogId = `withdraw-${person.id}`;
                return (
                  <PersonItem
                    key={person.id}
                    cohort={cohort}
                    person={person}
                    lead={
                      <span className="queue-no">
                        <span className="icon icon-clock text-warn" />
                      </span>
                    }
                  >
                    <div className="person-offer flex items-center justify-between gap-3">
                      <div className="time-left font-semibold text-[0.875rem] text-warn">
                        <Countdown
                          from={person.status_changed_at}
                          until={person.expires_at ?? now.toISOString()}
                          now={now.toISOString()}
                          locale={i18n.locale}
                          text={t`${time} left`}
                        />
                      </div>
                      <OpenButton
                        dialogId={dialogId}
                        className="button button-small noscript:hidden"
                      >
                        <Trans>Withdraw</Trans>
                      </OpenButton>
                      <RemoveDialog
                        id={dialogId}
                        cohortId={cohort.id}
                        enrollmentId={person.id}
                        name={person.name}
                        messages={messages}
                        canTell={cohort.archived_at === null}
                        end={end}
                      />
                    </div>
                  </PersonItem>
                );
              })}
            </ul>
          </section>
        )}
        {waiting.length > 0 && (
          <section aria-labelledby="waiting">
            <h3 id="waiting" className="mb-3 text-[0.9375rem]">
              <Trans>Waiting, in order</Trans>
            </h3>
            <ol className="person-rows">
              {waiting.map((person) => {
                const day = <DayOf at={person.status_changed_at} cohort={cohort} />;
                return (
                  <PersonItem
                    key={person.id}
                    cohort={cohort}
                    person={person}
                    lead={<span className="queue-no">{person.queue_position}</span>}
                  >
                    <span className="person-since text-muted">
                      <Trans>Since {day}</Trans>
                    </span>
                  </PersonItem>
                );
              })}
            </ol>
          </section>
        )}
      </PeopleLists>
      {next !== null && (
        <p>
          <a className="button" href={`${serverPaths.waitlist(cohort.id)}?after=${next}`}>
            <Trans>Next 100</Trans>
          </a>
        </p>
      )}
    </div>
  );
}

type ReasonProps = WaitlistProps & { first: Enrollment | null };

/** Always says why no one is being offered a place now, and what happens next. */
function Reason({ cohort, now, waitlist, first }: ReasonProps) {
  const { reason, next_name: name } = waitlist;
  const { i18n, t } = useLingui();
  const hours = <span>{cohort.offer_hours}</span>;
  const who = <strong dir="auto">{name}</strong>;
  const toNext =
    name === null ? null : (
      <Trans>
        The next free place is offered to {who}, for {hours} hours. You don’t need to do anything.
      </Trans>
    );
  const restore = t`Free places are offered again once it is restored.`;
  const texts: Record<WaitlistPage['reason'], [ReactNode, ReactNode]> = {
    cohort_in_trash: [t`This cohort is in the trash.`, restore],
    cohort_archived: [
      t`This cohort is archived.`,
      t`Free places are offered again once it is out of the archive.`,
    ],
    cohort_over: [t`This cohort has ended.`, t`Places are no longer offered.`],
    nobody_waits: [
      t`No one else is waiting.`,
      t`If an offer isn’t accepted in time, its place is free for everyone.`,
    ],
    cohort_not_published: [
      t`This cohort is a draft.`,
      t`Free places are offered once it is published.`,
    ],
    too_late: [
      t`It’s too late to offer places.`,
      t`Less than an hour is left until the cohort begins or enrollment closes. You can still add people yourself.`,
    ],
    no_payments: [
      t`No one can pay you online at the moment.`,
      t`Free places are offered again once Stripe takes payments for you.`,
    ],
    waiting_for_answers: [t`Every open place has been offered.`, toNext],
    no_place_free: [t`No place is free.`, toNext],
    next_run: [t`A place is free.`, t`It is offered to the first person within five minutes.`],
  };
  const [title, text] = texts[reason];
  const canOffer = reason === 'next_run' && first !== null && !isFull(cohort);
  return (
    <div className="grid max-w-176 justify-items-start gap-2 [&_strong]:text-ink">
      <h2 className="text-[1.75rem]/9 tracking-[-0.015em]">{title}</h2>
      {text && <p className="text-lg text-muted">{text}</p>}
      {canOffer && (
        <MoveButton
          cohortId={cohort.id}
          enrollmentId={first.id}
          move="offer"
          {...actionWords(i18n, cohort, now).offer}
          className="button button-primary"
        />
      )}
    </div>
  );
}
