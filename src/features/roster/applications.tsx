import { plural } from '@lingui/core/macro';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { peopleMessages } from '#features/places/form-messages.ts';
import type { Enrollment } from '#features/places/schema.ts';
import type { OwnCohort } from '#features/planning/own-cohorts.ts';
import { numbered } from '#lib/numbered-texts.ts';
import { paths } from '#paths.ts';
import { ApplicationList } from './application-list.tsx';
import { MoveButton } from './enrollment-button.tsx';
import type { FoundRoster } from './find-roster.ts';
import {
  actionWords,
  canApprove,
  isFull,
  isPast,
  offeredPage,
  payFirstWords,
} from './people-lists.tsx';

type ApplicationsProps = {
  cohort: OwnCohort;
  roster: FoundRoster;
  now: Date;
  children: ReactNode;
};

/** How many people ask for a place; around their list, with what decides about several of them. */
export function Applications({ cohort, roster, now, children }: ApplicationsProps) {
  const { i18n } = useLingui();
  const payFirst = isFull(cohort) ? null : payFirstWords(i18n, cohort, now);
  const texts = useTexts(cohort, payFirst);
  const count = roster.counts.get('applied') ?? 0;
  const isOver = isPast(cohort, now);
  const { places_left: free } = cohort.counts;
  const notice =
    count === 0 ? null : (
      <p>
        <Plural
          value={count}
          one="# person has asked to join. You decide."
          other="# people have asked to join. You decide."
        />{' '}
        {cohort.archived_at === null ? (
          !isOver &&
          free !== null &&
          (free === 0 ? (
            <Trans>No place is free.</Trans>
          ) : (
            <Plural value={free} one="# place is free." other="# places are free." />
          ))
        ) : (
          <Trans>Take the cohort out of the archive first: until then, no emails go out.</Trans>
        )}{' '}
        {!isOver && payFirst}
      </p>
    );
  if (roster.shown.status !== 'applied') {
    return (
      <>
        {notice !== null && (
          <div className="notice notice-with-action">
            {notice}
            <a className="button button-small" href={`${paths.roster(cohort.id)}?status=applied`}>
              <Trans>See the requests</Trans>
            </a>
          </div>
        )}
        {children}
      </>
    );
  }
  return (
    <ApplicationList
      cohortId={cohort.id}
      people={roster.items.map(({ id, name, email }) => ({ id, name, email }))}
      free={free}
      canWait={cohort.waitlist}
      canApprove={canApprove(cohort, now)}
      canTell={cohort.archived_at === null}
      messages={peopleMessages(i18n)}
      texts={texts}
      notice={notice}
    >
      {children}
    </ApplicationList>
  );
}

export type ApplicationTexts = ReturnType<typeof useTexts>;

function useTexts({ id, counts }: OwnCohort, payFirst: string | null) {
  const { t } = useLingui();
  const free = counts.places_left ?? 0;
  return {
    selected: numbered((n) => t`${plural(n, { one: '# selected', other: '# selected' })}`),
    approve: numbered(
      (n) => t`${plural(n, { one: 'Approve # person', other: 'Approve # people' })}`,
    ),
    approveAll: t`Approve all`,
    approveTitle: numbered(
      (n) => t`${plural(n, { one: 'Approve # request?', other: 'Approve # requests?' })}`,
    ),
    approving: t`One moment…`,
    approved: t`Approved.`,
    offered: numbered(
      (n) => t`${plural(n, { one: 'Place offered.', other: '# places offered.' })}`,
    ),
    offeredPage: offeredPage(id),
    payFirst,
    // What becomes of people who are let in, by whether there are places enough.
    allIn: payFirst
      ? { one: t`They get an email.`, other: t`They each get an email.` }
      : {
          one: t`They get a place, and an email that says so.`,
          other: t`They all get a place, and an email that says so.`,
        },
    othersWait: {
      one: t`No place is free: they join the waitlist, and an email says so.`,
      other: t`Free places: ${free}. Those who asked first get them, and the others join the waitlist. Everyone gets an email.`,
    },
    othersStay: t`Free places: ${free}. Those who asked first get them and are told by email. The others stay in this list.`,
    refuse: numbered(
      (n) => t`${plural(n, { one: 'Turn # person down', other: 'Turn # people down' })}`,
    ),
    refuseAll: t`Turn all down`,
    refuseTitle: numbered(
      (n) => t`${plural(n, { one: 'Turn # person down?', other: 'Turn # people down?' })}`,
    ),
    refusing: t`One moment…`,
    refused: t`Turned down.`,
    refusedNote: t`They can’t ask again without you: only you can invite or add them later.`,
    tell: t`Tell them by email`,
    cancel: t`Cancel`,
  };
}

type ApplicationProps = { cohort: OwnCohort; person: Enrollment; now: Date };

/** What someone who asks for a place has answered, shortened, and the button that lets them in. */
export function Application({ cohort, person, now }: ApplicationProps) {
  const { i18n } = useLingui();
  return (
    <div className="person-application">
      {person.answer !== null && (
        <p className="person-answer min-w-0 max-w-176 flex-[1_1_14rem] text-muted" dir="auto">
          {shortened(person.answer)}
        </p>
      )}
      {canApprove(cohort, now) && (
        <div>
          <MoveButton
            cohortId={cohort.id}
            enrollmentId={person.id}
            move="approve"
            {...actionWords(i18n, cohort, now).approve}
            describedBy={`name-${person.id}`}
            className="button button-small"
          />
        </div>
      )}
    </div>
  );
}

const shownLength = 120;

/** The beginning, up to a word. The whole answer is on the page of the person. */
function shortened(answer: string): string {
  const line = answer.replace(/\s+/g, ' ');
  return line.length <= shownLength
    ? line
    : `${line.slice(0, line.lastIndexOf(' ', shownLength) + 1 || shownLength).trim()}…`;
}
