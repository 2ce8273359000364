import { plural } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import type { Locale } from '#db/values.ts';
import { isEndOfDay } from '#features/cohorts/cohort-dates.ts';
import { opening, openUntil } from '#features/cohorts/enrollment-words.ts';
import { ReaderTime } from '#features/cohorts/reader-time.tsx';
import { enrollmentMessages } from '#features/places/form-messages.ts';
import { maxAnswer } from '#features/places/schema.ts';
import type {
  PublicCohort,
  PublicPrice,
  PublicRun,
} from '#features/public-pages/find-public-pages.ts';
import { numbered } from '#lib/numbered-texts.ts';
import { priceOf } from '#lib/price.ts';
import { wallTimeOn } from '#lib/time/calendar.ts';
import { clockTime, dayRange, momentIn } from '#lib/time/words.ts';
import { cityOf } from '#lib/time/zones.ts';
import { Field } from '#ui/form.tsx';
import { LinkedText } from '#ui/linked-text.tsx';
import { NeedsScripts } from '#ui/needs-scripts.tsx';
import { TextArea } from '#ui/text-area.tsx';
import { EmailField } from './email-field.tsx';
import { EnrollBox } from './enroll-box.tsx';
import { EarlyPrice, RegularPrice } from './price.tsx';
import { sentTexts } from './sent-texts.ts';
import { TermsLine } from './terms-line.tsx';
import { validation } from './vocabulary.ts';

type PublicBoxProps = {
  cohort: PublicCohort | PublicRun;
  /** Who keeps what is typed. */
  operatorName: string;
  /** For its owner: the form cannot be sent. */
  isPreview?: boolean;
};

/**
 * The cover with the days, or that one can start today, and what one can do now: the page may be
 * kept for a minute, so what depends on the moment is asked for by the browser.
 */
export function PublicBox({ cohort, operatorName, isPreview = false }: PublicBoxProps) {
  const { i18n, t } = useLingui();
  const { firstName, lastName } = cohort.instructor;
  const instructor = `${firstName} ${lastName}`;
  const name = <span dir="auto">{instructor}</span>;
  const max = <span>{maxAnswer}</span>;
  const run = 'accessDays' in cohort ? cohort : null;
  const headOf = (text: string) => (
    <h2 id="days" className="text-[length:inherit] leading-[inherit]">
      {text}
    </h2>
  );
  const footProps = { cohort, instructor, operatorName };
  return (
    <EnrollBox
      slug={cohort.slug}
      mode={isPreview ? 'preview' : cohort.hasEnded ? 'ended' : 'live'}
      hue={cohort.courseHue}
      state={cohort.enrollmentState}
      placesLeft={cohort.placesLeft}
      price={cohort.price && <RegularPrice price={cohort.price} />}
      hasPriceOnCover={run !== null}
      early={run === null ? earlyOf(cohort.price) : null}
      until={run === null ? <Until cohort={cohort} /> : <InShort run={run} />}
      head={headOf(
        run === null
          ? dayRange(cohort.startsOn, cohort.endsOn, i18n.locale)
          : t`Start today, at your own pace`,
      )}
      {...(run !== null && { otherHead: headOf(t`At your own pace`) })}
      {...((run !== null || cohort.paymentMode === 'online_first') && {
        openFoot: <Foot {...footProps} isOpen />,
      })}
      locale={i18n.locale as Locale}
      question={cohort.question}
      messages={{
        ...enrollmentMessages(i18n),
        consent_required: i18n._({ ...validation.consent_required, values: { instructor } }),
      }}
      texts={useTexts(cohort)}
      bodies={useBodies(cohort, instructor)}
      needsScripts={<NeedsScripts />}
      consent={<Trans>I agree that my name and email address are passed on to {name}.</Trans>}
      fields={
        <>
          <Field name="name" label={t`Your name`} autoComplete="name" required />
          <EmailField label={t`Email address`} />
          {cohort.question !== null && (
            <TextArea
              name="answer"
              label={
                <bdi>
                  <LinkedText text={cohort.question} />
                </bdi>
              }
              hint={
                <Trans>
                  Optional, up to {max} characters. {name} will read it.
                </Trans>
              }
              rows={4}
              dir="auto"
            />
          )}
        </>
      }
      foot={<Foot {...footProps} />}
    />
  );
}

export type EnrollTexts = ReturnType<typeof useTexts>;

function useTexts(cohort: PublicCohort | PublicRun) {
  const { i18n, t } = useLingui();
  const { price, capacity } = cohort;
  const isRun = 'accessDays' in cohort;
  const enrollFor = (minor: number | undefined) => {
    // The cover of an open run has the price.
    const isShown = price !== null && minor && !isRun;
    const amount = isShown ? priceOf(minor, price.currency, i18n.locale) : null;
    return amount === null ? t`Enroll` : t`Enroll for ${amount}`;
  };
  const places = capacity ?? 0;
  return {
    ...sentTexts(i18n),
    placesLeft: numbered(
      (n) =>
        t`${plural(n, { one: `# of ${places} places left`, other: `# of ${places} places left` })}`,
    ),
    waiting: {
      none: t`All places are taken. You’d be the first on the waitlist.`,
      ...numbered(
        (n) =>
          t`All places are taken. ${plural(n, {
            one: '# person is ahead of you.',
            other: '# people are ahead of you.',
          })}`,
      ),
    },
    enroll: enrollFor(price?.minor),
    enrollEarly: enrollFor(price?.early?.minor),
    enrollShort: t`Enroll`,
    joinWaitlist: t`Join the waitlist`,
    askForPlace: t`Ask for a place`,
    sentNote: isRun
      ? t`Nothing happens until you confirm. The link works for 24 hours.`
      : t`No place is kept until you confirm. The link works for 24 hours.`,
  };
}

type CohortProps = { cohort: PublicCohort | PublicRun };

/** What the box says in each state, beside its form where there is one. */
function useBodies(
  cohort: PublicCohort | PublicRun,
  instructor: string,
): Record<string, ReactNode> {
  const { i18n } = useLingui();
  const { courseSlug, enrollmentOpensLocal: opensLocal } = cohort;
  const isRun = 'accessDays' in cohort;
  const name = <bdi>{instructor}</bdi>;
  const course = <bdi>{cohort.courseName}</bdi>;
  // With the way to the page of the course, unless it is this one; none while no cohort of it was
  // published.
  const elsewhere = (text: ReactNode) => (
    <>
      {text}
      {courseSlug !== null && !isRun && (
        <a className="link mt-3 block w-fit" href={`/c/${courseSlug}?lang=${i18n.locale}`}>
          <Trans>Other dates of {course}</Trans>
        </a>
      )}
    </>
  );
  return {
    // An open run neither ends nor waits for its opening.
    ...(!isRun && { ended: elsewhere(<Trans>This cohort has ended.</Trans>) }),
    not_yet: elsewhere(
      opensLocal !== null && (
        <>
          <Moment
            cohort={cohort}
            at={cohort.enrollmentOpensAt}
            local={opensLocal}
            plain={opening(i18n, opensLocal)}
            isOpening
          />
          <span className="hint block">
            <Trans>You’ll be able to enroll on this page.</Trans>
          </span>
        </>
      ),
    ),
    approval: (
      <Trans>
        {name} decides who takes part. You’ll get the answer by email; no place is kept until then.
      </Trans>
    ),
    waitlist: <Trans>All places are taken.</Trans>,
    full: elsewhere(<Trans>All places are taken.</Trans>),
    by_invitation: elsewhere(
      isRun ? (
        <Trans>This course is by invitation.</Trans>
      ) : (
        <Trans>This cohort is by invitation.</Trans>
      ),
    ),
    closed: elsewhere(
      isRun ? (
        <Trans>Enrollment is closed at the moment.</Trans>
      ) : (
        <Trans>Enrollment has ended.</Trans>
      ),
    ),
  };
}

/** What an open run consists of, what it costs and how long it can be read, in a line. */
function InShort({ run }: { run: PublicRun }) {
  const { i18n, t } = useLingui();
  const { outline, price, accessDays } = run;
  const amount =
    price && (price.minor === 0 ? t`free` : priceOf(price.minor, price.currency, i18n.locale));
  const parts = [
    outline.length > 0 && t`${plural(outline.length, { one: '# lesson', other: '# lessons' })}`,
    amount,
    accessDays === null
      ? t`access without end`
      : t`${plural(accessDays, { one: 'access for # day', other: 'access for # days' })}`,
  ];
  return parts.filter(Boolean).join(' · ');
}

type FootProps = CohortProps & {
  instructor: string;
  operatorName: string;
  /** Whether the link in the email is all that is between the form and a place that is free. */
  isOpen?: boolean;
};

/** Below the form: what happens next, and what becomes of what was typed. */
function Foot({ cohort, instructor, operatorName, isOpen = false }: FootProps) {
  const { price, paymentMode } = cohort;
  const costs = price !== null && price.minor > 0;
  const isRun = 'accessDays' in cohort;
  const startsAtOnce = isRun && isOpen && !(costs && paymentMode === 'online_first');
  return (
    <>
      <p className="hint text-center">
        {startsAtOnce ? (
          <Trans>
            No account needed. We’ll email you a link to confirm, and you can start at once.
          </Trans>
        ) : (
          <Trans>No account needed. We’ll email you a link to confirm.</Trans>
        )}
        {costs && paymentMode !== null && (
          <>
            {' '}
            <HowToPay cohort={cohort} isOpen={isOpen} />
          </>
        )}
      </p>
      <TermsLine url={cohort.termsUrl} instructor={instructor} />
      <p className="hint">
        <WhereItGoes cohort={cohort} instructor={instructor} operatorName={operatorName} />
        {costs && paymentMode !== null && paymentMode !== 'own' && (
          <>
            {' '}
            <WhatStripeGets isRun={isRun} />
          </>
        )}
      </p>
    </>
  );
}

/** Where people pay online, and what goes there. */
function WhatStripeGets({ isRun }: { isRun: boolean }) {
  return isRun ? (
    <Trans>
      When you pay online, your email address, your language, the amount and the name of the course
      go to Stripe.
    </Trans>
  ) : (
    <Trans>
      When you pay online, your email address, your language, the amount and the names of the course
      and the cohort go to Stripe.
    </Trans>
  );
}

/** Whom people pay, how and when. */
function HowToPay({ cohort, isOpen }: CohortProps & { isOpen: boolean }) {
  const { i18n } = useLingui();
  const { price, paymentMode } = cohort;
  const firstName = <bdi>{cohort.instructor.firstName}</bdi>;
  if (paymentMode === 'own') {
    return <Trans>You pay {firstName} directly.</Trans>;
  }
  if (paymentMode === 'online') {
    return <Trans>You pay {firstName} online once you’re enrolled.</Trans>;
  }
  if (!isOpen) {
    return <Trans>You pay online when a place is kept for you.</Trans>;
  }
  // The browser knows whether the early price still holds.
  if (price === null || price.early) {
    return (
      <Trans>
        Once you confirm your email, your place is kept for an hour while you pay by card.
      </Trans>
    );
  }
  const amount = <span>{priceOf(price.minor, price.currency, i18n.locale)}</span>;
  return (
    <Trans>
      Once you confirm your email, your place is kept for an hour while you pay {amount} by card.
    </Trans>
  );
}

/** To whom what is typed goes, and who keeps it. */
function WhereItGoes({ cohort, instructor, operatorName }: FootProps) {
  const name = <bdi>{instructor}</bdi>;
  const operator = <bdi>{operatorName}</bdi>;
  const isRun = 'accessDays' in cohort;
  if (cohort.question === null) {
    return isRun ? (
      <Trans>
        Your name and email address go to {name}, who runs this course, so that you can take part.{' '}
        {operator} keeps them on their behalf. You can see, download and erase them at any time with
        the link in every email.
      </Trans>
    ) : (
      <Trans>
        Your name and email address go to {name}, who runs this cohort, so that you can take part.{' '}
        {operator} keeps them on their behalf. You can see, download and erase them at any time with
        the link in every email.
      </Trans>
    );
  }
  return isRun ? (
    <Trans>
      Your name, email address and answer go to {name}, who runs this course, so that you can take
      part. {operator} keeps them on their behalf. You can see, download and erase them at any time
      with the link in every email.
    </Trans>
  ) : (
    <Trans>
      Your name, email address and answer go to {name}, who runs this cohort, so that you can take
      part. {operator} keeps them on their behalf. You can see, download and erase them at any time
      with the link in every email.
    </Trans>
  );
}

/** Until when people can enroll. */
function Until({ cohort }: CohortProps) {
  const { i18n } = useLingui();
  const { enrollmentClosesLocal: closes, startsOn } = cohort;
  return cohort.isOpenedByHand ? (
    <Trans>Enrollment is open.</Trans>
  ) : (
    <Moment
      cohort={cohort}
      at={cohort.enrollmentClosesAt ?? cohort.startsAt}
      local={closes ?? wallTimeOn(startsOn, '00:00')}
      plain={openUntil(i18n, closes, startsOn)}
    />
  );
}

type MomentProps = CohortProps & {
  at: Date | null;
  /** The same by the clocks of the cohort. */
  local: string;
  /** What is said where the reader's clocks show the same. */
  plain: string;
  isOpening?: boolean;
};

/** When enrollment opens or closes, by the reader's clocks and by those of the cohort. */
function Moment({ cohort, at, local, plain, isOpening = false }: MomentProps) {
  const { i18n, t } = useLingui();
  const city = cityOf(cohort.timeZone, i18n.locale);
  const time = clockTime(local, i18n.locale);
  const there = isEndOfDay(local) ? t`midnight in ${city}` : t`${time} in ${city}`;
  // Where the browser puts the moment in.
  const moment = '#';
  const text = isOpening
    ? t`Enrollment opens on ${moment} your time (${there}).`
    : t`Enrollment closes on ${moment} your time (${there}).`;
  return at === null ? (
    plain
  ) : (
    <ReaderTime
      at={at.toISOString()}
      zone={cohort.timeZone}
      locale={i18n.locale}
      text={text}
      sameText={plain}
      room={text.replace(moment, momentIn(cohort.timeZone, at, i18n.locale))}
    />
  );
}

function earlyOf(price: PublicPrice | null) {
  return price?.early
    ? { until: price.early.untilAt.toISOString(), price: <EarlyPrice price={price} /> }
    : null;
}
