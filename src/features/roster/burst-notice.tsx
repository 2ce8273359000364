import { msg, plural } from '@lingui/core/macro';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { peopleMessages } from '#features/places/form-messages.ts';
import type { OwnCohort } from '#features/planning/find-own-cohort.ts';
import { Dialog } from '#ui/dialog.tsx';
import { burstDialogId } from './dialogs.ts';
import type { Burst } from './find-bursts.ts';
import { RemoveAllForm } from './remove-all-form.tsx';

type BurstNoticeProps = { cohort: OwnCohort; burst: Burst };

/** Says that many people of one domain came within an hour, and offers to remove them. */
export function BurstNotice({ cohort, burst: { domain, people } }: BurstNoticeProps) {
  const { i18n, t } = useLingui();
  const dialogId = burstDialogId(domain);
  const count = people.length;
  const where = <strong>{domain}</strong>;
  return (
    <div className="notice burst" data-sentry-mask>
      <p>
        <Trans>
          <Plural value={count} one="# person" other="# people" /> from {where} enrolled within an
          hour. They may be a group of colleagues, or one person with many addresses.
        </Trans>
      </p>
      <button
        type="button"
        className="button button-small noscript:hidden"
        command="show-modal"
        commandfor={dialogId}
      >
        <Trans>Remove all</Trans>
      </button>
      <Dialog
        id={dialogId}
        title={i18n._(
          msg`${plural(count, { one: 'Remove # person?', other: 'Remove # people?' })}`,
        )}
      >
        <RemoveAllForm
          dialogId={dialogId}
          end="removed"
          // Perhaps they are one person with many addresses.
          tells={false}
          cohortId={cohort.id}
          enrollmentIds={people.map(({ id }) => id)}
          messages={peopleMessages(i18n)}
          texts={{
            tell: t`Tell them by email`,
            submit: t`Remove all`,
            submitting: t`Removing…`,
            cancel: t`Cancel`,
          }}
          done={t`Removed.`}
        >
          <ul className="burst-people" data-sentry-mask>
            {people.map(({ id, name, email }) => (
              <li key={id} className="person-name">
                <span dir="auto">{name}</span>
                <span className="text-muted">{email}</span>
              </li>
            ))}
          </ul>
          <p>
            <Trans>
              Their places become free. They can’t come back without you: only you can invite or add
              them again.
            </Trans>
          </p>
        </RemoveAllForm>
      </Dialog>
    </div>
  );
}
