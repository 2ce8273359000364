import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { EnrollmentStatus } from '#db/values.ts';
import { ChangeButton } from '#features/cohorts/cohort-button.tsx';
import { ImportLink, ListMenu } from '#features/lists/roster-tools.tsx';
import { type RosterPage, rosterFilters } from '#features/places/find-enrollments.ts';
import type { PendingRequest } from '#features/places/schema.ts';
import type { OwnCohort } from '#features/planning/own-cohorts.ts';
import { paths } from '#paths.ts';
import { EmailAddress } from '#ui/email-address.tsx';
import { Empty } from '#ui/empty.tsx';
import { Tick } from '#ui/tick.tsx';
import { AddPerson, AddPersonButton } from './add-person-dialog.tsx';
import { Application, Applications } from './applications.tsx';
import { CopyAddressesButton } from './enrollment-button.tsx';
import type { FoundRoster } from './find-roster.ts';
import {
  Badges,
  DayOf,
  isFull,
  isPast,
  overWords,
  PastCohort,
  PeopleLists,
  PersonItem,
  statusName,
} from './people-lists.tsx';

type RosterProps = { cohort: OwnCohort; roster: FoundRoster; now: Date };

/** Everyone who takes part, is offered a place or is invited, and who did before. */
export function Roster({ cohort, roster, now }: RosterProps) {
  const { t } = useLingui();
  const { items, next, counts, requests, shown } = roster;
  const { status: filter, search } = shown;
  const isEmpty = counts.size === 0 && requests.length === 0;
  const isOver = isPast(cohort, now);
  // Several people are decided about at once.
  const isSelectable = filter === 'applied' && items.length > 1;
  return (
    <div className="roster" data-sentry-mask>
      {isEmpty ? (
        <Empty title={isOver ? t`No one took part.` : t`No one yet.`}>
          <p>
            {isOver ? (
              <PastCohort cohort={cohort} />
            ) : cohort.published_at === null ? (
              <Trans>Publish the cohort and share its address, or add people yourself.</Trans>
            ) : (
              <Trans>Share the address of the public page, or add people yourself.</Trans>
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
          {isOver && (
            <p className="hint">
              <PastCohort cohort={cohort} />
            </p>
          )}
          <Applications cohort={cohort} roster={roster} now={now}>
            {requests.length > 0 && (
              <Requests cohort={cohort} requests={requests} canAdd={!isOver} />
            )}
            <PeopleLists cohort={cohort} now={now}>
              {items.length === 0 ? (
                <p className="people-none">
                  {search === '' ? (
                    <Trans>No one here.</Trans>
                  ) : (
                    <Trans>No one found. Try part of the name or address.</Trans>
                  )}
                </p>
              ) : (
                <div>
                  {/* The rows of those who ask are laid out by what they have answered. */}
                  {filter !== 'applied' && (
                    <p className="people-heads" aria-hidden="true">
                      <span>{t`Name`}</span>
                      <span>{filter === 'enrolled' ? t`Enrolled` : t`Since`}</span>
                    </p>
                  )}
                  <ul className="person-rows">
                    {items.map((person) => {
                      const { id, name } = person;
                      return (
                        <PersonItem
                          key={id}
                          cohort={cohort}
                          person={person}
                          lead={isSelectable && <Tick value={id}>{t`Select ${name}`}</Tick>}
                        >
                          <Badges person={person} hasStatus={filter === null} />
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
                </div>
              )}
            </PeopleLists>
          </Applications>
          {next !== null && (
            <p>
              <a className="button" href={rosterPath(cohort.id, { ...shown, after: next })}>
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

type ToolbarProps = Omit<RosterProps, 'now'> & { isOver: boolean };

function Toolbar({ cohort, roster: { counts, shown: page }, isOver }: ToolbarProps) {
  const { status: filter, search } = page;
  const { i18n, t } = useLingui();
  const { id } = cohort;
  const countOf = (status: EnrollmentStatus) => counts.get(status) ?? 0;
  const shown = rosterFilters.filter(
    (status) =>
      status !== 'waitlisted' &&
      (status === 'enrolled' || status === filter || countOf(status) > 0),
  );
  const all = countOf('enrolled') + countOf('offered') + countOf('invited');
  const filters = [
    { filter: null, label: t`All`, count: all },
    ...shown.map((status) => ({
      filter: status,
      label: statusName(i18n, status),
      count: countOf(status),
    })),
  ];
  const copied = t`Addresses copied.`;
  return (
    <div className="roster-tools">
      <search>
        <form action={paths.roster(id)} className="roster-search">
          {filter !== null && <input type="hidden" name="status" value={filter} />}
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
        {filters.map((one) => (
          <a
            key={one.label}
            href={rosterPath(id, { status: one.filter, search, after: null })}
            aria-current={one.filter === filter ? 'true' : undefined}
          >
            {`${one.label} `}
            <small>{one.count}</small>
          </a>
        ))}
      </nav>
      <div className="actions">
        {counts.size > 0 ? (
          <ListMenu cohortId={id} canImport={!isOver}>
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

function rosterPath(id: string, { status, search, after }: RosterPage): string {
  const query = new URLSearchParams({
    ...(status !== null && { status }),
    ...(search !== '' && { q: search }),
    ...(after !== null && { after }),
  });
  return query.size === 0 ? paths.roster(id) : `${paths.roster(id)}?${query}`;
}

type RequestsProps = { cohort: OwnCohort; requests: PendingRequest[]; canAdd: boolean };

/** Requests that wait for their click. They hold no place. */
function Requests({ cohort, requests, canAdd }: RequestsProps) {
  return (
    <details className="notice requests">
      <summary>
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
          <li key={request.id}>
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
