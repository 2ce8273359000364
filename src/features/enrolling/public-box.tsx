import { plural } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import type { Locale } from '#db/values.ts';
import { opening, openUntil } from '#features/cohorts/enrollment-words.ts';
import { TextArea } from '#features/cohorts/fields.tsx';
import { ReaderTime } from '#features/cohorts/reader-time.tsx';
import { enrollmentMessages } from '#features/places/form-messages.ts';
import type { PublicCohort } from '#features/public-pages/find-public-pages.ts';
import { priceOf } from '#lib/price.ts';
import { dayRange, weekdayMomentIn } from '#lib/time/words.ts';
import { cityOf } from '#lib/time/zones.ts';
import { Field } from '#ui/form.tsx';
import { NeedsScripts } from '#ui/needs-scripts.tsx';
import { EmailField } from './email-field.tsx';
import { EnrollBox } from './enroll-box.tsx';
import { numbered } from './numbered-texts.ts';
import { maxAnswer } from './schema.ts';
import { TermsLine } from './terms-line.tsx';
import { validation } from './vocabulary.ts';

type PublicBoxProps = {
  cohort: PublicCohort;
  /** Who keeps what is typed. */
  operatorName: string;
  /** For its owner: the form cannot be sent. */
  isPreview?: boolean;
};

/**
 * The cover with the days, and what one can do now: the page may be kept for a minute, so what
 * depends on the moment is asked for by the browser.
 */
export function PublicBox({ cohort, operatorName, isPreview = false }: PublicBoxProps) {
  const { i18n, t } = useLingui();
  const { firstName, lastName } = cohort.instructor;
  const instructor = `${firstName} ${lastName}`;
  const name = <span dir="auto">{instructor}</span>;
  const max = <span>{maxAnswer}</span>;
  return (
    <EnrollBox
      slug={cohort.slug}
      mode={isPreview ? 'preview' : cohort.hasEnded ? 'ended' : 'live'}
      hue={cohort.courseHue}
      state={cohort.enrollmentState}
      placesLeft={cohort.placesLeft}
      head={
        <h2 id="days" className="text-[length:inherit] leading-[inherit]">
          {dayRange(cohort.startsOn, cohort.endsOn, i18n.locale)}
        </h2>
      }
      locale={i18n.locale as Locale}
      question={cohort.question}
      messages={{
        ...enrollmentMessages(i18n),
        consent_required: i18n._({ ...validation.consent_required, values: { instructor } }),
      }}
      texts={useTexts(cohort, instructor)}
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
              label={<bdi>{cohort.question}</bdi>}
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
      foot={<Foot cohort={cohort} instructor={instructor} operatorName={operatorName} />}
    />
  );
}

export type EnrollTexts = ReturnType<typeof useTexts>;

function useTexts({ priceMinor, currency }: PublicCohort, instructor: string) {
  const { i18n, t } = useLingui();
  const isFree = priceMinor === null || currency === null || priceMinor === 0;
  const price = isFree ? null : priceOf(priceMinor, currency, i18n.locale);
  // Where the browser puts an address or a number in.
  const address = '#';
  return {
    placesLeft: numbered((n) => t`${plural(n, { one: '# place left', other: '# places left' })}`),
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
    enroll: price === null ? t`Enroll` : t`Enroll · ${price}, paid to ${instructor}`,
    joinWaitlist: t`Join the waitlist`,
    askForPlace: t`Ask for a place`,
    pending: t`Sending…`,
    sentTitle: t`Check your email`,
    sent: t`We’ve sent a link to ${address}.`,
    sentNote: t`No place is kept until you confirm. The link works for 24 hours.`,
    spam: t`Didn’t get it? Check your spam folder. If you’ve already asked today, look for our earlier email.`,
    back: t`Use another address`,
    resend: t`Resend email`,
    resent: t`Sent again. Older links still work.`,
  };
}

type CohortProps = { cohort: PublicCohort };

/** What the box says in each state, beside its form where there is one. */
function useBodies(cohort: PublicCohort, instructor: string): Record<string, ReactNode> {
  const { i18n } = useLingui();
  const { courseSlug, enrollmentOpensLocal: opensLocal } = cohort;
  const name = <bdi>{instructor}</bdi>;
  const course = <bdi>{cohort.courseName}</bdi>;
  // With the way to the page of the course; none while no cohort of it was published.
  const elsewhere = (text: ReactNode) => (
    <>
      {text}
      {courseSlug !== null && (
        <a className="link other-dates" href={`/c/${courseSlug}?lang=${i18n.locale}`}>
          <Trans>Other dates of {course}</Trans>
        </a>
      )}
    </>
  );
  return {
    ended: elsewhere(<Trans>This cohort has ended.</Trans>),
    not_yet: elsewhere(
      opensLocal !== null && (
        <>
          <span>{opening(i18n, opensLocal)}</span>
          <ZoneNote cohort={cohort} at={cohort.enrollmentOpensAt} />
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
    by_invitation: elsewhere(<Trans>This cohort is by invitation.</Trans>),
    closed: elsewhere(<Trans>Enrollment has ended.</Trans>),
  };
}

type FootProps = CohortProps & { instructor: string; operatorName: string };

/** Below the form: until when, and what becomes of what was typed. */
function Foot({ cohort, instructor, operatorName }: FootProps) {
  const { i18n } = useLingui();
  const { enrollmentClosesLocal, enrollmentClosesAt, isOpenedByHand, startsAt } = cohort;
  const name = <bdi>{instructor}</bdi>;
  const operator = <bdi>{operatorName}</bdi>;
  return (
    <>
      <p className="hint text-center">
        <Trans>No account needed. We’ll email you a link to confirm.</Trans>
      </p>
      <TermsLine url={cohort.termsUrl} instructor={instructor} />
      <p className="hint">
        {cohort.question === null ? (
          <Trans>
            Your name and email address go to {name}, who runs this cohort, so that you can take
            part. {operator} keeps them on their behalf. You can see, download and erase them at any
            time with the link in every email.
          </Trans>
        ) : (
          <Trans>
            Your name, email address and answer go to {name}, who runs this cohort, so that you can
            take part. {operator} keeps them on their behalf. You can see, download and erase them
            at any time with the link in every email.
          </Trans>
        )}
      </p>
      <p className="hint">
        {isOpenedByHand ? (
          <Trans>Enrollment is open.</Trans>
        ) : (
          openUntil(i18n, enrollmentClosesLocal)
        )}
        {!isOpenedByHand && <ZoneNote cohort={cohort} at={enrollmentClosesAt ?? startsAt} />}
      </p>
    </>
  );
}

/** By whose clock a time is said, and when that is for the reader. */
function ZoneNote({ cohort, at }: CohortProps & { at: Date | null }) {
  const { i18n, t } = useLingui();
  const city = <span>{cityOf(cohort.timeZone, i18n.locale as Locale)}</span>;
  // Where the browser puts the moment in.
  const moment = '#';
  const text = t`${moment}, your time`;
  return (
    <span className="hint zone-note block">
      <span>
        <Trans>Time zone: {city}</Trans>
      </span>
      {at !== null && (
        <ReaderTime
          at={at.toISOString()}
          zone={cohort.timeZone}
          locale={i18n.locale}
          text={text}
          room={text.replace(moment, weekdayMomentIn(cohort.timeZone, at, i18n.locale))}
        />
      )}
    </span>
  );
}
