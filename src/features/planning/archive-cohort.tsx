import { plural } from '@lingui/core/macro';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { ChangeButton } from '#features/cohorts/cohort-button.tsx';
import { noteMessages } from '#features/cohorts/cohort-messages.ts';
import { cohortPaths } from '#features/cohorts/cohort-paths.ts';
import { isOngoing, rosterCount, sumOfPeople } from '#features/cohorts/cohort-status.ts';
import { Check } from '#features/cohorts/fields.tsx';
import { priceOf } from '#lib/price.ts';
import { dayOfYear } from '#lib/time/words.ts';
import { paths } from '#paths.ts';
import { Dialog, OpenButton } from '#ui/dialog.tsx';
import { Consequences } from './consequences.tsx';
import type { OwnCohort } from './own-cohorts.ts';
import { ArchiveForm } from './trash-form.tsx';

const dialogId = 'archive-cohort';

type ArchiveProps = {
  cohort: OwnCohort;
  /** Whether another course is selected, whose cohorts the list would show. */
  isElsewhere: boolean;
};

/** The items of a menu that archive a cohort, which asks first unless it is over, and bring it back. */
export function ArchiveItem(props: ArchiveProps) {
  const { t } = useLingui();
  const after = useAfter(props);
  const { id, status } = props.cohort;
  if (status === 'archived') {
    return (
      <ChangeButton
        path={cohortPaths.change(id, 'unarchive')}
        className="menu-item"
        asksFirst
        pendingLabel={t`One moment…`}
        done={after.undo.done}
      >
        <Trans>Unarchive</Trans>
      </ChangeButton>
    );
  }
  return isEndedBy(props.cohort) ? (
    <OpenButton dialogId={dialogId} className="menu-item">
      <Trans>Archive…</Trans>
    </OpenButton>
  ) : (
    <ChangeButton
      {...after}
      path={cohortPaths.change(id, 'archive')}
      className="menu-item"
      asksFirst
      pendingLabel={t`Archiving…`}
      done={t`Cohort archived.`}
    >
      <Trans>Archive cohort</Trans>
    </ChangeButton>
  );
}

/** Whether a cohort would end for people by being archived. */
function isEndedBy({ status, counts }: OwnCohort): boolean {
  return isOngoing(status) || (status === 'draft' && sumOfPeople(counts) > 0);
}

/** What comes after it: the list, and the way back. */
function useAfter({ cohort: { id }, isElsewhere }: ArchiveProps) {
  const { t } = useLingui();
  return {
    page: isElsewhere ? paths.cohort(id) : paths.cohorts,
    undo: {
      label: t`Undo`,
      path: cohortPaths.change(id, 'unarchive'),
      done: t`The cohort is back in the list.`,
    },
  };
}

/** Asks before a cohort is archived that has not ended, and says what that means to whom. */
export function ArchiveDialog(props: ArchiveProps) {
  const { i18n, t } = useLingui();
  const after = useAfter(props);
  const { cohort } = props;
  const { id, status, counts, comingCount: sessions, owing } = cohort;
  if (!isEndedBy(cohort)) {
    return null;
  }
  const [name, isRunning] = [cohort.name, status === 'running'];
  const people = rosterCount(counts);
  const waiting = counts.waitlisted + counts.applied;
  const day = <span>{dayOfYear(cohort.ends_on, i18n.locale)}</span>;
  const owed = owing > 0 ? priceOf(cohort.owedMinor, cohort.owedCurrency, i18n.locale) : '';
  return (
    <Dialog
      id={dialogId}
      title={isRunning ? t`Archive ${name} while it runs?` : t`Archive ${name}?`}
    >
      <ArchiveForm
        {...after}
        id={id}
        dialogId={dialogId}
        messages={noteMessages(i18n)}
        texts={{
          submit: t`Archive cohort`,
          submitting: t`Archiving…`,
          cancel: isRunning ? t`Keep it running` : t`Cancel`,
        }}
        done={
          people === 0
            ? t`Cohort archived.`
            : t`Archived. ${plural(people, {
                one: `${name} has ended for its # person.`,
                other: `${name} has ended for its # people.`,
              })}`
        }
      >
        <p className="text-ink">
          <Trans>It ends on {day}. If you archive it today:</Trans>
        </p>
        <Consequences
          of={[
            [
              'icon-calendar',
              people > 0 && (
                <>
                  <strong>
                    <Plural
                      value={people}
                      one="# person will read “This cohort has ended.”"
                      other="# people will read “This cohort has ended.”"
                    />
                  </strong>{' '}
                  {sessions > 0 && <WhatGoes count={sessions} hasLink={cohort.join_url !== null} />}
                </>
              ),
            ],
            [
              'icon-payments',
              owing > 0 && (
                <>
                  <strong>
                    {t`${plural(owing, {
                      one: `# person still owes ${owed}.`,
                      other: `# people still owe ${owed}.`,
                    })}`}
                  </strong>{' '}
                  <Trans>They get no more reminders. You can still mark payments.</Trans>
                </>
              ),
            ],
            [
              'icon-clock',
              waiting > 0 && status !== 'draft' && (
                <>
                  <strong>
                    <Plural
                      value={waiting}
                      one="# person is waiting."
                      other="# people are waiting."
                    />
                  </strong>{' '}
                  <Trans>We tell them that no place became free.</Trans>
                </>
              ),
            ],
            [
              'icon-undo',
              <Trans key="undo">Nothing is deleted. You can bring it back at any time.</Trans>,
            ],
          ]}
        />
        {people > 0 && status !== 'draft' && (
          <Check
            id="archive-notify"
            name="notify"
            label={t`${plural(people, {
              one: 'Tell the # person by email that it ends today',
              other: 'Tell the # people by email that it ends today',
            })}`}
          />
        )}
      </ArchiveForm>
    </Dialog>
  );
}

/** What is no longer on the pages of people. */
function WhatGoes({ count, hasLink }: { count: number; hasLink: boolean }) {
  return hasLink ? (
    <Plural
      value={count}
      one="The session to come, the meeting link and the calendar disappear from their pages."
      other="The # sessions to come, the meeting link and the calendar disappear from their pages."
    />
  ) : (
    <Plural
      value={count}
      one="The session to come and the calendar disappear from their pages."
      other="The # sessions to come and the calendar disappear from their pages."
    />
  );
}
