import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { ComponentProps, ReactNode } from 'react';
import { amountsOf, priceNow } from '#features/cohorts/price-at.ts';
import { CourseTile } from '#features/courses/course-tile.tsx';
import type { OwnCohort } from './own-cohorts.ts';

// What dialogs say before something is shown to people, or no longer.

type Consequence = [icon: `icon-${string}`, text: ReactNode];

type ConsequencesProps = {
  /** Those without a text are left out. */
  of: Consequence[];
  /** What people would ask for. */
  missing?: (string | false)[];
};

/** What follows from what a dialog is about to do. */
export function Consequences({ of, missing = [] }: ConsequencesProps) {
  const warning = missing.filter(Boolean).join(' ');
  return (
    <>
      <ul className="consequences">
        {of.map(
          ([icon, text]) =>
            text && (
              <li key={icon}>
                <span className={`icon ${icon}`} />
                <span>{text}</span>
              </li>
            ),
        )}
      </ul>
      {warning !== '' && (
        <p className="notice flex gap-3 border-transparent bg-warn-wash text-[0.875rem] text-warn">
          <span className="icon icon-alert" />
          <span>{warning}</span>
        </p>
      )}
    </>
  );
}

type WhatOpensProps = ComponentProps<typeof CourseTile>['course'] & { children: ReactNode };

/** What people can see and enroll in from now on. */
export function WhatOpens({ name, hue, children }: WhatOpensProps) {
  return (
    <>
      <div className="thing">
        <CourseTile course={{ name, hue }} />
        <div>
          <p dir="auto">{name}</p>
          <p>{children}</p>
        </div>
      </div>
      <p>
        <Trans>From now on:</Trans>
      </p>
    </>
  );
}

/** What a cohort or an open run offers. */
export type Offered = Pick<
  OwnCohort,
  | 'join_mode'
  | 'capacity'
  | 'waitlist'
  | 'price_minor'
  | 'early_price_minor'
  | 'early_until_local'
  | 'early_until_at'
  | 'currency'
  | 'payment_mode'
>;

/** Who can enroll from a public page, and in how many places. */
export function WhoCanJoin({ cohort }: { cohort: Offered }) {
  const { capacity, waitlist } = cohort;
  const places =
    capacity === null ? (
      <Trans>There is room for everyone.</Trans>
    ) : waitlist ? (
      <Plural value={capacity} one="# place, then a waitlist." other="# places, then a waitlist." />
    ) : (
      <Plural value={capacity} one="# place." other="# places." />
    );
  switch (cohort.join_mode) {
    case 'invitation':
      return (
        <Trans>
          Anyone with the link can read the page. Only people you invite or add can enroll.
        </Trans>
      );
    case 'approval':
      return (
        <>
          <Trans>Anyone with the link can read the page and ask for a place, and you decide.</Trans>{' '}
          {places}
        </>
      );
    default:
      return (
        <>
          <Trans>Anyone with the link can read the page and enroll.</Trans> {places}
        </>
      );
  }
}

/** What people owe who enroll, and how they pay it. */
export function WhatIsOwed({ cohort, now }: { cohort: Offered; now: Date }) {
  const { i18n } = useLingui();
  const amounts = amountsOf(priceNow(cohort, now), i18n.locale);
  if (amounts === null) {
    return <Trans>Enrolling is free, because there is no price.</Trans>;
  }
  const price = <strong>{amounts.price}</strong>;
  const early = <strong>{amounts.early?.price}</strong>;
  const date = <span>{amounts.early?.day}</span>;
  return (
    <>
      {amounts.early === null ? (
        <Trans>Each person who enrolls owes {price}.</Trans>
      ) : (
        <Trans>
          Each person who enrolls owes {early} until {date}, and {price} after that.
        </Trans>
      )}{' '}
      {
        {
          own: <Trans>They pay you directly.</Trans>,
          online: <Trans>They can pay online, on Stripe’s page.</Trans>,
          online_first: <Trans>They pay online first, on Stripe’s page.</Trans>,
        }[cohort.payment_mode]
      }
    </>
  );
}
