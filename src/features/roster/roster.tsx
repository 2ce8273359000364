import type { MessageDescriptor } from '@lingui/core';
import { msg, plural } from '@lingui/core/macro';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import type { EnrollmentStatus, Standing } from '#db/values.ts';
import { ChangeButton } from '#features/cohorts/cohort-button.tsx';
import { entryTexts } from '#features/ledger/ledger-parts.tsx';
import { balanceWords, entryMessages } from '#features/ledger/ledger-words.ts';
import { paymentPaths } from '#features/ledger/payment-paths.ts';
import { ImportLink, ListMenu } from '#features/lists/roster-tools.tsx';
import { rosterFilters } from '#features/places/find-enrollments.ts';
import { peopleMessages } from '#features/places/form-messages.ts';
import type { Enrollment, PendingRequest } from '#features/places/schema.ts';
import type { OwnCohort } from '#features/planning/own-cohorts.ts';
import { numbered } from '#lib/numbered-texts.ts';
import { priceOf } from '#lib/price.ts';
import { timeAgo } from '#lib/relative-time.ts';
import { dayIn } from '#lib/time/words.ts';
import { paths } from '#paths.ts';
import { OpenButton } from '#ui/dialog.tsx';
import { EmailAddress } from '#ui/email-address.tsx';
import { Empty } from '#ui/empty.tsx';
import { Tick } from '#ui/tick.tsx';
import { AddPerson, AddPersonButton } from './add-person-dialog.tsx';
import { Application, Applications } from './applications.tsx';
import { CompleteDialog } from './complete-dialog.tsx';
import { CopyAddressesButton } from './enrollment-button.tsx';
import type { Account, FoundRoster, RosterTotals } from './find-roster.ts';
import {
  Badges,
  DayOf,
  isFull,
  isPast,
  overWords,
  PastCohort,
  PeopleLists,
  PersonItem,
} from './people-lists.tsx';
import { learnedDialogId, writePath } from './roster-paths.ts';
import { RosterSelection } from './roster-selection.tsx';

type RosterProps = { cohort: OwnCohort; roster: FoundRoster; now: Date };

/** Everyone who takes part, is offered a place or is invited, and who did before. */
export function Roster({ cohort, roster, now }: RosterProps) {
  const { i18n, t } = useLingui();
  const { items, next, counts, requests, shown, isOwing, accounts, totals } = roster;
  const { currency } = totals;
  const { status: filter, standing, search } = shown;
  const isEmpty = counts.size === 0 && requests.length === 0;
  const isOver = isPast(cohort, now);
  // All who are shown.
  const isEnrolled = filter === 'enrolled' || standing !== null || isOwing;
  // Several people are decided about at once.
  const isSelectable = filter !== 'applied' || items.length > 1;
  const hasAnswers = filter !== 'applied' && items.some(({ answer }) => answer !== null);
  const hasLessons = filter !== 'applied' && items.some(({ learning }) => learning !== null);
  return (
    <div className="roster" data-sentry-mask>
      {isEmpty ? (
        <Empty title={isOver ? t`No one took part.` : t`No one yet.`}>
          <p>
            {isOver ? (
              <PastCohort cohort={cohort} />
            ) : cohort.published_at === null ? (
              <Trans>Publish the cohort and share its link, or add people yourself.</Trans>
            ) : (
              <Trans>Share the public link, or add people yourself.</Trans>
            )}
          </p>
          {!isOver && (
            <>
              <AddPersonButton className="button button-primary button-large" />
              <ImportLink cohortId={cohort.id} />
            </>
          )}
        </Empty>
      ) : (
        <>
          <h2 className="sr-only">
            <Trans>Roster</Trans>
          </h2>
          <Toolbar cohort={cohort} roster={roster} isOver={isOver} />
          {standing !== null && items.length > 0 && (
            <StandingNote cohort={cohort} roster={roster} standing={standing} />
          )}
          {isOver && (
            <p className="hint">
              <PastCohort cohort={cohort} />
            </p>
          )}
          {roster.learned.unmarked > 0 && <Learned cohort={cohort} roster={roster} />}
          <Applications cohort={cohort} roster={roster} now={now}>
            {requests.length > 0 && (
              <Requests cohort={cohort} requests={requests} canAdd={!isOver} />
            )}
            <PeopleLists
              cohort={cohort}
              now={now}
              currency={currency}
              nextWaiting={roster.nextWaiting}
            >
              {items.length === 0 ? (
                <p className="py-6 text-muted">
                  {search === '' ? (
                    i18n._(standing === null ? noOne : noOneStands[standing])
                  ) : (
                    <Trans>No one found. Try part of the name or address.</Trans>
                  )}
                </p>
              ) : (
                <RosterList
                  cohort={cohort}
                  roster={roster}
                  now={now}
                  isSelectable={filter !== 'applied'}
                >
                  {/* The rows of those who ask are laid out by what they have answered. */}
                  {filter !== 'applied' && (
                    <p className="people-heads" aria-hidden="true">
                      <span className="flex-1">{t`Name`}</span>
                      {hasAnswers && <span className="flex-1">{t`Answer`}</span>}
                      {hasLessons && (
                        <span className="head-lessons flex-[0_0_10rem]">{t`Lessons`}</span>
                      )}
                      {currency !== null && (
                        <span className="head-balance flex-[0_0_8.5rem] text-end">{t`Balance`}</span>
                      )}
                      <span className="head-since flex-[0_0_8.5rem]">
                        {isEnrolled ? t`Enrolled` : t`Since`}
                      </span>
                    </p>
                  )}
                  <ul className="person-rows">
                    {items.map((person) => {
                      const { id, name, answer } = person;
                      const account = accounts.get(id);
                      return (
                        <PersonItem
                          key={id}
                          cohort={cohort}
                          person={person}
                          account={account}
                          lead={isSelectable && <Tick value={id}>{t`Select ${name}`}</Tick>}
                        >
                          <Badges person={person} hasStatus={filter === null && !isEnrolled} />
                          {hasAnswers && (
                            <span className="row-answer text-muted" dir="auto">
                              {answer}
                            </span>
                          )}
                          {hasLessons && <Progress of={person.learning} now={now} />}
                          {currency !== null && filter !== 'applied' && (
                            <span className="row-balance">
                              {account && <BalanceWords account={account} currency={currency} />}
                            </span>
                          )}
                          <span className="person-since text-muted">
                            <DayOf at={person.status_changed_at} cohort={cohort} />
                          </span>
                          {person.status === 'applied' && (
                            <Application cohort={cohort} person={person} now={now} />
                          )}
                        </PersonItem>
                      );
                    })}
                  </ul>
                </RosterList>
              )}
            </PeopleLists>
          </Applications>
          {(filter === 'enrolled' || isOwing) && currency !== null && (
            <Sums cohort={cohort} totals={totals} people={counts.get('enrolled') ?? 0} />
          )}
          {next !== null && (
            <p>
              <a
                className="button"
                href={rosterPath(cohort.id, { ...queryOf(roster), q: search, after: next })}
              >
                <Trans>Next 100</Trans>
              </a>
            </p>
          )}
        </>
      )}
      {/* In the same place when the first person comes, so that what was typed stays. */}
      {!isOver && <AddPerson cohort={cohort} />}
    </div>
  );
}

type StandingNoteProps = Pick<RosterProps, 'cohort' | 'roster'> & { standing: Standing };

/** What it means that people are listed as such, and a way to write to them. */
function StandingNote({ cohort, roster, standing }: StandingNoteProps) {
  const { t } = useLingui();
  const { items, next, shown } = roster;
  const meaning =
    standing === 'stuck' ? (
      cohort.kind === 'open' ? (
        <Trans>Stuck means: started, not finished, and not here for 14 days.</Trans>
      ) : (
        <Trans>
          Stuck means: three or more open lessons are not done, and not here for 7 days.
        </Trans>
      )
    ) : (
      standing === 'not_started' && (
        <Trans>Not started means: enrolled 7 days ago or more, and no lesson opened.</Trans>
      )
    );
  // Those who are stuck in a run are an audience of messages, however many they are.
  const isAudience = cohort.kind === 'open' && standing === 'stuck';
  const isComplete = isAudience || (next === null && shown.after === null);
  const ids = items.map(({ id }) => id);
  const count = isAudience ? (roster.standings?.stuck ?? 0) : ids.length;
  const canWrite = cohort.archived_at === null && cohort.deleted_at === null;
  return (
    meaning && (
      <div className="-my-2 flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <p className="hint">{meaning}</p>
        {isComplete && shown.search === '' && canWrite && (
          <a
            className="button button-small"
            href={writePath(cohort.id, isAudience ? ['stuck'] : ids)}
          >
            <span className="icon icon-mail" />
            {t`${plural(count, { one: 'Write to this person', other: 'Write to the #' })}`}
          </a>
        )}
      </div>
    )
  );
}

/** `9 of 12 have done every lesson.` All who aren’t marked as completed can be marked at once. */
function Learned({ cohort, roster }: Pick<RosterProps, 'cohort' | 'roster'>) {
  const { i18n, t } = useLingui();
  const { people, unmarked } = roster.learned;
  const all = roster.counts.get('enrolled') ?? 0;
  const isSent = cohort.sends_certificates && cohort.archived_at === null;
  return (
    <div className="-my-2 flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
      <p className="hint">
        {t`${plural(people, {
          one: `# of ${all} has done every lesson.`,
          other: `# of ${all} have done every lesson.`,
        })}`}
      </p>
      <OpenButton dialogId={learnedDialogId} className="button button-small">
        <span className="icon icon-check" />
        {t`${plural(unmarked, { one: 'Mark as completed', other: 'Mark them as completed' })}`}
      </OpenButton>
      <CompleteDialog
        cohortId={cohort.id}
        messages={peopleMessages(i18n)}
        texts={{
          title: t`${plural(unmarked, {
            one: 'Mark # person as completed?',
            other: 'Mark # people as completed?',
          })}`,
          explanations: [
            t`${plural(unmarked, {
              one: 'They have done every lesson and can then print their certificate.',
              other: 'They have all done every lesson and can then print their certificate.',
            })}`,
            isSent
              ? t`People who have agreed to take part get an email with a link to their certificate.`
              : t`They’ll see the certificate on their page. No email is sent.`,
          ],
          submit: t`Mark as completed`,
          submitting: t`One moment…`,
          cancel: t`Cancel`,
          done: t`Marked as completed.`,
        }}
      />
    </div>
  );
}

/** `4 of 12 · 3 days ago`; where no column says it, also of what. */
function Progress({ of: learning, now }: { of: Enrollment['learning']; now: Date }) {
  const { i18n, t } = useLingui();
  if (learning === null) {
    return <span className="row-lessons" />;
  }
  const { done, of, last_seen_at: seenAt } = learning;
  return (
    <span className="row-lessons text-muted">
      <span className="@max-[40rem]:hidden" aria-hidden="true">{t`${done} of ${of}`}</span>
      {/* The column's head says of what. */}
      <span className="@min-[40rem]:sr-only">
        {t`${done} of ${plural(of, { one: '# lesson', other: '# lessons' })}`}
      </span>
      {seenAt !== null && (
        <>
          {' · '}
          <time dateTime={seenAt}>
            {timeAgo(new Date(seenAt), now, i18n.locale) ?? t`just now`}
          </time>
        </>
      )}
    </span>
  );
}

/** What someone owes as a chip, because that waits for something; otherwise a word. */
function BalanceWords({ account, currency }: { account: Account; currency: string }) {
  const { i18n, t } = useLingui();
  const words = account.toSettle ? t`Needs a decision` : balanceWords(i18n, account, currency);
  return account.balance > 0 || account.toSettle ? (
    <span className="chip status" data-status="full">
      {words}
    </span>
  ) : (
    <span className="text-muted">{words}</span>
  );
}

type SumsProps = { cohort: OwnCohort; totals: RosterTotals; people: number };

/** What the accounts of all who are enrolled add up to. */
function Sums({ cohort, totals, people }: SumsProps) {
  const { i18n, t } = useLingui();
  const { owing, owed, paid, waived, currency } = totals;
  const amount = (
    <strong className="font-semibold text-warn">
      {currency && priceOf(owed, currency, i18n.locale)}
    </strong>
  );
  const parts = [
    ...(paid > 0 ? [t`${plural(paid, { one: '# paid', other: '# paid' })}`] : []),
    ...(waived > 0 ? [t`${plural(waived, { one: '# waived', other: '# waived' })}`] : []),
  ];
  return (
    <div className="flex flex-wrap justify-between gap-x-4 gap-y-2 text-[0.9375rem]">
      <p className="text-muted">
        {t`${plural(people, { one: '# person', other: '# people' })}`}
        {parts.length + owing > 0 && ' · '}
        {parts.join(', ')}
        {parts.length > 0 && owing > 0 && ', '}
        {owing > 0 && (
          <Trans>
            <Plural value={owing} one="# still owes" other="# still owe" /> {amount}
          </Trans>
        )}
      </p>
      <a className="link" href={paymentPaths.cohort(cohort.id)}>
        <Trans>Open payments</Trans>
      </a>
    </div>
  );
}

type RosterListProps = Pick<RosterProps, 'cohort' | 'roster' | 'now'> & {
  isSelectable: boolean;
  children: ReactNode;
};

/** The rows, of which several can be selected: to write to them, or to mark them as paid. */
function RosterList({ cohort, roster, now, isSelectable, children }: RosterListProps) {
  const { i18n, t } = useLingui();
  const { accounts, items, totals } = roster;
  const { currency } = totals;
  // Accounts that need a decision aren't paid in bulk.
  const owing = items.filter(({ id }) => {
    const account = accounts.get(id);
    return account !== undefined && account.balance > 0 && !account.toSettle;
  });
  if (!isSelectable) {
    return <div>{children}</div>;
  }
  return (
    <RosterSelection
      // What was selected elsewhere is not selected here.
      key={`${roster.shown.status} ${roster.shown.standing} ${roster.isOwing} ${roster.shown.after}`}
      cohortId={cohort.id}
      canWrite={cohort.archived_at === null && cohort.deleted_at === null}
      owing={owing.map(({ id, name }) => ({ id, name }))}
      payment={
        currency === null
          ? null
          : {
              currency,
              today: dayIn(cohort.time_zone, now),
              messages: entryMessages(i18n),
              texts: {
                ...entryTexts(i18n, currency),
                title: t`Mark as paid`,
                each: t`Each of them has paid in full.`,
                submit: t`Mark as paid`,
                done: t`Marked as paid.`,
              },
            }
      }
      texts={{
        selected: numbered((n) => t`${plural(n, { one: '# selected', other: '# selected' })}`),
        write: numbered(
          (n) => t`${plural(n, { one: 'Write to # person', other: 'Write to # people' })}`,
        ),
        pay: t`Mark as paid`,
        clear: t`Clear`,
      }}
    >
      {children}
    </RosterSelection>
  );
}

/** How the people of a status are called together. */
const filterWords: Record<EnrollmentStatus, MessageDescriptor> = {
  enrolled: msg({ message: 'Enrolled', context: 'people' }),
  offered: msg({ message: 'Offered a place', context: 'people' }),
  invited: msg({ message: 'Invited', context: 'people' }),
  waitlisted: msg({ message: 'Waiting', context: 'people' }),
  applied: msg({ message: 'Applied', context: 'people' }),
  declined: msg({ message: 'Declined', context: 'people' }),
  refused: msg({ message: 'Turned down', context: 'people' }),
  expired: msg({ message: 'Expired', context: 'people' }),
  left: msg({ message: 'Left', context: 'people' }),
  removed: msg({ message: 'Removed', context: 'people' }),
};

/** The same by how they get on. */
const standingWords: Record<Standing, MessageDescriptor> = {
  stuck: msg({ message: 'Stuck', context: 'people' }),
  not_started: msg({ message: 'Not started', context: 'people' }),
  under_way: msg({ message: 'On their way', context: 'people' }),
  completed: msg({ message: 'Completed', context: 'people' }),
};

/** In this order, from those who need something. */
const standingFilters = ['stuck', 'not_started', 'under_way', 'completed'] as const;

const noOne = msg`No one here.`;
const noOneStands: Record<Standing, MessageDescriptor> = {
  stuck: msg`No one is stuck.`,
  not_started: msg`Everyone who enrolled 7 days ago or more has opened a lesson.`,
  under_way: msg`No one is on their way.`,
  completed: msg`No one has completed it yet.`,
};

/** What the address of a roster asks for. */
type RosterQuery = Partial<Record<'status' | 'standing' | 'q' | 'after', string>>;

type Filter = { query: RosterQuery; label: string; count: number };

type ToolbarProps = Omit<RosterProps, 'now'> & { isOver: boolean };

function Toolbar({ cohort, roster, isOver }: ToolbarProps) {
  const { counts, shown: page, isOwing, totals, standings } = roster;
  const { status: filter, standing, search } = page;
  const { i18n, t } = useLingui();
  const { id } = cohort;
  const countOf = (status: EnrollmentStatus) => counts.get(status) ?? 0;
  const shown = rosterFilters.filter(
    (status) =>
      status !== 'waitlisted' &&
      (status === 'enrolled' || status === filter || countOf(status) > 0),
  );
  const all = countOf('enrolled') + countOf('offered') + countOf('invited');
  const filters: Filter[] = [
    { query: {}, label: t({ message: 'All', context: 'people' }), count: all },
    ...shown.map((status) => ({
      query: { status },
      label: i18n._(filterWords[status]),
      count: countOf(status),
    })),
  ];
  const byStanding = standingFilters
    .map((one) => ({
      query: { standing: one },
      label: i18n._(standingWords[one]),
      count: standings?.[one] ?? 0,
    }))
    .filter(({ query, count }) => count > 0 || query.standing === standing);
  filters.splice(2, 0, ...byStanding);
  if (totals.owing > 0 || isOwing) {
    filters.splice(2, 0, {
      query: { status: 'owing' },
      label: t`Still owe`,
      count: totals.owing,
    });
  }
  const current = queryOf(roster);
  const copied = t`Addresses copied.`;
  return (
    <div className="actions roster-tools">
      <search className="flex-[1_1_14rem] @min-[40rem]:max-w-75">
        <form action={paths.roster(id)} className="roster-search">
          {Object.entries(current).map(([name, value]) => (
            <input key={name} type="hidden" name={name} value={value} />
          ))}
          <input
            // The field shows what the address says, also after going back.
            key={search}
            type="search"
            name="q"
            className="input"
            defaultValue={search}
            placeholder={t`Name or email`}
            aria-label={t`Find by name or email`}
            autoComplete="off"
            enterKeyHint="search"
          />
          <button type="submit" className="sr-only">
            <Trans>Find</Trans>
          </button>
        </form>
      </search>
      <nav aria-label={t`Status`} className="segments">
        {filters.map(({ query, label, count }) => (
          <a
            key={label}
            href={rosterPath(id, { ...query, q: search })}
            aria-current={rosterPath(id, query) === rosterPath(id, current) ? 'true' : undefined}
          >
            {`${label} `}
            <small>{count}</small>
          </a>
        ))}
      </nav>
      <div className="actions ms-auto">
        {counts.size > 0 ? (
          <ListMenu cohortId={id} canImport={!isOver} standing={standing}>
            {countOf('enrolled') > 0 && (
              <CopyAddressesButton
                cohortId={id}
                pendingLabel={t`Copying…`}
                copied={copied}
                notAllowed={t`Your browser doesn’t allow copying here.`}
                className="menu-item"
              >
                <Trans>Copy addresses</Trans>
              </CopyAddressesButton>
            )}
          </ListMenu>
        ) : (
          !isOver && <ImportLink cohortId={id} />
        )}
        {!isOver && <AddPersonButton className="button button-primary" />}
      </div>
    </div>
  );
}

/** What is shown of a roster, without what is looked for. */
function queryOf({ shown: { status, standing }, isOwing }: FoundRoster): RosterQuery {
  return {
    ...(status !== null && { status }),
    ...(standing !== null && { standing }),
    ...(isOwing && { status: 'owing' }),
  };
}

function rosterPath(id: string, query: RosterQuery): string {
  const asked = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== ''));
  return asked.size === 0 ? paths.roster(id) : `${paths.roster(id)}?${asked}`;
}

type RequestsProps = { cohort: OwnCohort; requests: PendingRequest[]; canAdd: boolean };

/** Requests that wait for their click. They hold no place. */
function Requests({ cohort, requests, canAdd }: RequestsProps) {
  return (
    <details className="notice requests">
      <summary className="cursor-pointer font-medium">
        <Plural
          value={requests.length}
          one="# person has not confirmed yet"
          other="# people have not confirmed yet"
        />
      </summary>
      <p className="hint">
        <Trans>
          They’ve asked for a place but haven’t opened our email yet. A request expires after 24
          hours and doesn’t hold a place.
        </Trans>
      </p>
      <ul>
        {requests.map((request) => (
          <li key={request.id} className="flex items-center gap-3 pt-3">
            <div className="person-name">
              <span dir="auto">{request.name}</span>
              <span className="text-muted">
                <EmailAddress>{request.email}</EmailAddress>
              </span>
            </div>
            {canAdd && <AddRequested cohort={cohort} request={request} />}
          </li>
        ))}
      </ul>
    </details>
  );
}

/** Lets someone in who has not confirmed: while all is full, onto the waitlist or in anyway. */
function AddRequested({ cohort, request }: { cohort: OwnCohort; request: PendingRequest }) {
  const { i18n, t } = useLingui();
  const { name, email, language } = request;
  const isOver = isFull(cohort);
  const person = { name, email, language };
  const button = {
    path: `/api/cohorts/${cohort.id}/enrollments/` as const,
    pendingLabel: t`Adding…`,
    className: 'button button-small',
  };
  return (
    <div className="actions">
      {isOver && cohort.waitlist && (
        <ChangeButton
          {...button}
          call={{ input: { ...person, as: 'waitlisted', over_capacity: false } }}
          done={t`Put on the waitlist.`}
        >
          <Trans>Add to the waitlist</Trans>
        </ChangeButton>
      )}
      <ChangeButton
        {...button}
        call={{ input: { ...person, as: 'enrolled', over_capacity: isOver } }}
        done={t`Added to the roster.`}
      >
        {isOver ? overWords(i18n, cohort) : t`Add`}
      </ChangeButton>
    </div>
  );
}
