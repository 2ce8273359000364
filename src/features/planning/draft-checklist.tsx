import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { ChangeButton } from '#features/cohorts/cohort-button.tsx';
import { cohortPaths } from '#features/cohorts/cohort-paths.ts';
import { closingSentence } from '#features/cohorts/enrollment-words.ts';
import { amountsOf, priceNow } from '#features/cohorts/price-at.ts';
import { meetingPaths } from '#features/meetings/meeting-paths.ts';
import { dayRange } from '#lib/time/words.ts';
import { fromJson } from '#lib/to-json.ts';
import { paths, serverPaths } from '#paths.ts';
import { CloseButton, Dialog, OpenButton } from '#ui/dialog.tsx';
import { EmailAddress } from '#ui/email-address.tsx';
import { DaysAndCity } from './cohort-rows.tsx';
import { Consequences, WhatIsOwed, WhatOpens, WhoCanJoin } from './consequences.tsx';
import { MoveToTrash } from './move-to-trash.tsx';
import type { OwnCohort } from './own-cohorts.ts';
import { settingsIds } from './settings-ids.ts';

type Viewer = { name: string; email: string };
type DraftProps = { cohort: OwnCohort; viewer: Viewer; now: Date };

type Item = {
  key: string;
  state: 'done' | 'missing' | 'optional';
  title: string;
  /** What there is, or what is missing without it. */
  text: ReactNode;
  href: string;
  /** What the link does, which the title follows for screen readers. */
  action: string;
};

const signs = {
  done: 'bg-good-wash text-good',
  missing: 'border-2 border-warn',
  optional: 'border-[1.5px] border-rule border-dashed text-muted',
};

const publishDialogId = 'publish-cohort';

/** What a draft has and what is missing, and the way to publish it. */
export function DraftChecklist({ cohort, viewer, now }: DraftProps) {
  const { t } = useLingui();
  const items = useItems(cohort, viewer, now);
  const missing = items.filter(({ state }) => state === 'missing').length;
  const states = { done: t`Done`, missing: t`Missing`, optional: t`Optional` };
  return (
    <>
      <h2 id="state">
        <Trans>This cohort is a draft.</Trans>{' '}
        {missing === 0 ? (
          <Trans>Nothing is missing.</Trans>
        ) : (
          <span className="block text-warn">
            <Plural value={missing} one="One thing is missing." other="# things are missing." />
          </span>
        )}
      </h2>
      <p className="text-muted">
        <Trans>Nobody sees it yet, and nobody gets an email.</Trans>{' '}
        {missing > 0 && (
          <Trans>You can publish without what is missing; people will then ask you for it.</Trans>
        )}
      </p>
      {cohort.warnings.includes('starts_in_past') && (
        <p className="notice">
          <Trans>The first day is in the past.</Trans>
        </p>
      )}
      <ul className="border-line border-t">
        {items.map(({ key, state, title, text, href, action }) => (
          <li
            key={key}
            className="grid min-h-16 grid-cols-[auto_minmax(0,1fr)_auto] items-center gap-x-4 border-line border-b py-2"
          >
            <span
              className={`grid size-7 place-items-center rounded-full ${signs[state]}`}
              aria-hidden="true"
            >
              {state !== 'missing' && (
                <span className={`icon size-4 ${state === 'done' ? 'icon-check' : 'icon-plus'}`} />
              )}
            </span>
            <div>
              <h3 id={`check-${key}`} className="text-[0.9375rem]/5 font-semibold">
                {title} <span className="sr-only">{states[state]}</span>
              </h3>
              <p
                className={`text-sm/5 wrap-anywhere ${state === 'missing' ? 'text-warn' : 'text-muted'}`}
              >
                {text}
              </p>
            </div>
            <a
              id={`check-${key}-action`}
              className={
                state === 'missing' ? 'button button-small' : 'button button-small button-quiet'
              }
              href={href}
              aria-labelledby={`check-${key}-action check-${key}`}
            >
              {action}
            </a>
          </li>
        ))}
      </ul>
      <div className="actions">
        <OpenButton dialogId={publishDialogId} className="button button-primary">
          <Trans>Publish…</Trans>
        </OpenButton>
        <MoveToTrash cohort={cohort} className="button button-quiet">
          <Trans>Delete draft</Trans>
        </MoveToTrash>
      </div>
      <PublishDialog cohort={cohort} viewer={viewer} now={now} />
    </>
  );
}

function useItems(cohort: OwnCohort, viewer: Viewer, now: Date): Item[] {
  const { i18n, t } = useLingui();
  const { id, meetingCount: sessions, place, description } = cohort;
  const add = t`Add`;
  const change = t`Change`;
  const edit = t`Edit`;
  const settings = (part: string) => `${serverPaths.cohortSettings(id)}#${part}`;
  const hasOwn = place !== null || cohort.join_url !== null;
  const isPlaced = hasPlace(cohort);
  const { second_teacher: second, question } = cohort;
  return [
    {
      key: 'dates',
      state: 'done',
      title: t`Dates`,
      text: <DaysAndCity cohort={fromJson(cohort)} />,
      href: settings(settingsIds.cohort),
      action: change,
    },
    {
      key: 'sessions',
      state: sessions > 0 ? 'done' : 'missing',
      title: t`Sessions`,
      text:
        sessions > 0 ? (
          <Plural value={sessions} one="# live session" other="# live sessions" />
        ) : (
          t`People can’t tell when you meet.`
        ),
      href: meetingPaths.schedule(id),
      action: sessions > 0 ? edit : add,
    },
    {
      key: 'text',
      state: description !== null || cohort.hasAbout ? 'done' : 'missing',
      title: t`About the course`,
      text:
        description !== null
          ? t`For this cohort`
          : cohort.hasAbout
            ? t`Shared by all cohorts of this course`
            : t`People can’t tell what it is about.`,
      href:
        description === null && cohort.hasAbout
          ? paths.courseSettings
          : settings(settingsIds.description),
      action: description !== null || cohort.hasAbout ? edit : add,
    },
    {
      key: 'place',
      state: isPlaced ? 'done' : 'missing',
      title: t`Place or meeting link`,
      text: hasOwn
        ? [
            place,
            cohort.join_url !== null && t`meeting link`,
            !isPlaced && t`no meeting link, unlike your other cohorts`,
          ]
            .filter(Boolean)
            .join(' · ')
        : isPlaced
          ? t`Each session has its own.`
          : t`People can’t tell where you meet.`,
      href: settings(settingsIds.where),
      action: hasOwn ? change : add,
    },
    {
      key: 'price',
      state: cohort.price_minor === null ? 'optional' : 'done',
      title: t`Price`,
      text: priceWords(cohort, i18n.locale, now, {
        none: t`Optional`,
        free: t`Free`,
        early: (price, early, day) => t`${price}, early ${early} until ${day}`,
      }),
      href: settings(settingsIds.price),
      action: cohort.price_minor === null ? add : change,
    },
    {
      key: 'teachers',
      state: 'done',
      title: t`Teachers`,
      text: <bdi>{[viewer.name, second].filter(Boolean).join(', ')}</bdi>,
      href: settings(settingsIds.teachers),
      action: edit,
    },
    {
      key: 'question',
      state: question === null ? 'optional' : 'done',
      title: t`A question for people who enroll`,
      text: question === null ? t`Optional` : <bdi>{question}</bdi>,
      href: settings(settingsIds.question),
      action: question === null ? add : edit,
    },
  ];
}

/** Whether people can tell where to meet, also online where the other cohorts of the course do. */
function hasPlace({ place, join_url, areAllPlaced, lacksMeetingLink }: OwnCohort): boolean {
  return areAllPlaced || join_url !== null || (place !== null && !lacksMeetingLink);
}

type PriceWords = {
  none: string;
  free: string;
  early: (price: string, early: string, day: string) => string;
};

function priceWords(cohort: OwnCohort, locale: string, now: Date, words: PriceWords): string {
  const amounts = amountsOf(priceNow(cohort, now), locale);
  if (amounts === null) {
    return cohort.price_minor === 0 ? words.free : words.none;
  }
  const { price, early } = amounts;
  return early === null ? price : words.early(price, early.price, early.day);
}

/** Says what publishing means, before it is done. */
function PublishDialog({ cohort, viewer, now }: DraftProps) {
  const { i18n, t } = useLingui();
  const name = cohort.name;
  const email = <EmailAddress>{viewer.email}</EmailAddress>;
  const days = dayRange(cohort.starts_on, cohort.ends_on, i18n.locale);
  const missing = [
    cohort.meetingCount === 0 && t`There are no sessions yet.`,
    !hasPlace(cohort) &&
      (cohort.place === null
        ? t`There is no place or meeting link yet.`
        : t`There is no meeting link yet.`),
    cohort.description === null && !cohort.hasAbout && t`There is no text about the course yet.`,
  ];
  return (
    <Dialog id={publishDialogId} title={t`Publish ${name}?`}>
      <WhatOpens name={cohort.courseName} hue={cohort.courseHue}>
        <bdi>{name}</bdi> · {days}
      </WhatOpens>
      <Consequences
        of={[
          ['icon-cohorts', <WhoCanJoin key="who" cohort={cohort} />],
          ['icon-payments', <WhatIsOwed key="owed" cohort={cohort} now={now} />],
          [
            'icon-mail',
            <Trans key="mail">
              Each person gets an email with the dates and a calendar link. Replies go to {email}.
            </Trans>,
          ],
          ['icon-clock', cohort.join_mode !== 'invitation' && closingSentence(i18n, cohort)],
        ]}
        missing={missing}
      />
      <div className="dialog-foot">
        <CloseButton dialogId={publishDialogId}>{t`Cancel`}</CloseButton>
        <ChangeButton
          path={cohortPaths.change(cohort.id, 'publish')}
          pendingLabel={t`Publishing…`}
          done={t`Cohort published.`}
          className="button button-primary"
        >
          <Trans>Publish</Trans>
        </ChangeButton>
      </div>
    </Dialog>
  );
}
