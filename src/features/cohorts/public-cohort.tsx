import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { type Locale, locales } from '#db/values.ts';
import { Wordmark } from '#features/shell/wordmark.tsx';
import { dayRange } from '#lib/time/words.ts';
import { cityOf } from '#lib/time/zones.ts';
import { opening, openUntil } from './enrollment-words.ts';
import type { PublicCohort } from './find-public-cohort.ts';
import { YourTime } from './your-time.tsx';

const languageNames: Record<Locale, string> = { en: 'English', fr: 'Français' };

type PublicPageProps = {
  cohort: PublicCohort;
  /** Above everything, for its owner. */
  notice?: ReactNode;
};

/** What everyone can see of a cohort, in a frame of its own. */
export function PublicPage({ cohort, notice }: PublicPageProps) {
  const { i18n, t } = useLingui();
  const { courseName, name, instructor, description } = cohort;
  const { firstName, lastName } = instructor;
  const fullName = <strong>{`${firstName} ${lastName}`}</strong>;
  return (
    <div className="public">
      <title>{`${courseName} · Lectern`}</title>
      <meta name="robots" content="noindex" />
      {notice}
      <header className="public-head">
        <Wordmark />
        <nav aria-label={t`Language`} className="words">
          {locales.map((locale) => (
            <a
              key={locale}
              href={`?lang=${locale}`}
              lang={locale}
              hrefLang={locale}
              aria-current={locale === i18n.locale ? 'true' : undefined}
            >
              {languageNames[locale]}
            </a>
          ))}
        </nav>
      </header>
      <main className="public-main">
        <div className="public-title">
          <p dir="auto">{name}</p>
          <h1 dir="auto">{courseName}</h1>
          <p className="mt-4 flex items-center gap-3">
            <span className="avatar" data-hue={instructor.hue} aria-hidden="true">
              {[firstName, lastName].map((text) => [...text][0]).join('')}
            </span>
            <span>
              <Trans>with {fullName}</Trans>
            </span>
          </p>
        </div>
        <Box cohort={cohort} />
        <div className="public-text">
          <Facts cohort={cohort} />
          {description !== null && (
            <div className="public-description" dir="auto">
              {description}
            </div>
          )}
        </div>
      </main>
    </div>
  );
}

type CohortProps = { cohort: PublicCohort };

/** The cover with the days, and what one can do now. */
function Box({ cohort }: CohortProps) {
  const { i18n } = useLingui();
  const { startsOn, endsOn, placesLeft, courseHue, enrollmentState: state } = cohort;
  const isOpen = state === 'open' || state === 'not_yet';
  return (
    <section aria-labelledby="days" className="booklet public-box">
      <div className="cover" data-hue={courseHue}>
        <h2 id="days" className="text-[length:inherit] leading-[inherit]">
          {dayRange(startsOn, endsOn, i18n.locale)}
        </h2>
        {isOpen && placesLeft !== null && (
          <small>
            <Plural value={placesLeft} one="# place left" other="# places left" />
          </small>
        )}
      </div>
      <div>
        <State cohort={cohort} />
      </div>
    </section>
  );
}

function State({ cohort }: CohortProps) {
  const { i18n, t } = useLingui();
  const { enrollmentState: state, enrollmentOpensLocal, enrollmentOpensAt } = cohort;
  const { enrollmentClosesLocal, enrollmentClosesAt, isOpenedByHand } = cohort;
  const here = (
    <p className="hint">
      <Trans>You’ll be able to enroll on this page.</Trans>
    </p>
  );
  // Where the browser puts the moment in.
  const moment = '#';
  const yours = { zone: cohort.timeZone, locale: i18n.locale, text: t`${moment}, your time` };
  if (cohort.hasEnded) {
    return (
      <p>
        <Trans>This cohort has ended.</Trans>
      </p>
    );
  }
  switch (state) {
    case 'not_yet':
      return (
        <>
          <p>{opening(i18n, enrollmentOpensLocal ?? '')}</p>
          <ZoneNote cohort={cohort}>
            {enrollmentOpensAt && <YourTime at={enrollmentOpensAt.toISOString()} {...yours} />}
          </ZoneNote>
          {here}
        </>
      );
    case 'open':
      return (
        <>
          <p>
            {isOpenedByHand ? (
              <Trans>Enrollment is open.</Trans>
            ) : (
              openUntil(i18n, enrollmentClosesLocal)
            )}
          </p>
          {!isOpenedByHand && (
            <ZoneNote cohort={cohort}>
              <YourTime at={(enrollmentClosesAt ?? cohort.startsAt).toISOString()} {...yours} />
            </ZoneNote>
          )}
          {here}
        </>
      );
    case 'by_invitation':
      return (
        <p>
          <Trans>This cohort is by invitation.</Trans>
        </p>
      );
    case 'waitlist':
    case 'full':
      return (
        <p>
          <Trans>All places are taken.</Trans>
        </p>
      );
    default:
      return (
        <p>
          <Trans>Enrollment has ended.</Trans>
        </p>
      );
  }
}

/** By whose clock a time is said, and when that is for the reader. */
function ZoneNote({ cohort, children }: CohortProps & { children: ReactNode }) {
  const { i18n } = useLingui();
  const city = <span>{cityOf(cohort.timeZone, i18n.locale as Locale)}</span>;
  return (
    <p className="hint zone-note">
      <span>
        <Trans>Time zone: {city}</Trans>
      </span>
      {children}
    </p>
  );
}

function Facts({ cohort }: CohortProps) {
  const { i18n, t } = useLingui();
  const { timeZone, place, priceMinor, currency, minimumPeople } = cohort;
  const facts = [
    { label: t`Time zone`, value: cityOf(timeZone, i18n.locale as Locale) },
    { label: t`Place`, value: place },
    { label: t`Price`, value: priceOf(priceMinor, currency, i18n.locale) },
    {
      label: t`Takes place from`,
      value:
        minimumPeople === null ? null : (
          <Plural value={minimumPeople} one="# person" other="# people" />
        ),
    },
  ];
  return (
    <dl className="facts public-facts">
      {facts
        .filter(({ value }) => value !== null)
        .map(({ label, value }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd dir="auto">{value}</dd>
          </div>
        ))}
    </dl>
  );
}

function priceOf(minor: number | null, currency: string | null, locale: string): string | null {
  if (minor === null || currency === null) {
    return null;
  }
  const format = new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    trailingZeroDisplay: 'stripIfInteger',
  });
  return format.format(minor / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2));
}
