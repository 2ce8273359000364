import type { I18n } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { Remind } from '#features/ledger/cohort-balances.tsx';
import { paymentPaths } from '#features/ledger/payment-paths.ts';
import { meetingPaths } from '#features/meetings/meeting-paths.ts';
import { priceOf } from '#lib/price.ts';
import { timeAgo, timeUntil } from '#lib/relative-time.ts';
import { dayOfWallTime } from '#lib/time/calendar.ts';
import { clockRange, dayIn, monthOf, weekdayOf } from '#lib/time/words.ts';
import { cityOf } from '#lib/time/zones.ts';
import { emailPaths, paths } from '#paths.ts';
import { hueOf } from '#ui/brand.ts';
import { LinkedText } from '#ui/linked-text.tsx';
import { PersonDisc } from '#ui/person-disc.tsx';
import type { SessionDay as Day } from './find-session-day.ts';
import { presenceTexts } from './presence-texts.ts';
import { WhoIsHere } from './who-is-here.tsx';

type SessionDayProps = { session: Omit<Day, 'people' | 'debtors'>; now: Date; isOnHome?: boolean };

/** The session of now: its cover, and the ways to it and to its group. */
export function SessionDay({ session, now, isOnHome = false }: SessionDayProps) {
  const { i18n, t } = useLingui();
  const { locale } = i18n;
  const { cohortId, timeZone: zone, number, count, title, place, joinUrl, passcode } = session;
  const day = dayOfWallTime(session.startsLocal);
  const start = new Date(session.startsAt);
  const end = new Date(session.startsAt + session.durationMinutes * 60_000);
  const time = <span>{clockRange(zone, start, end, locale)}</span>;
  const city = <span>{cityOf(zone, locale)}</span>;
  const code = <strong dir="auto">{passcode}</strong>;
  const when = dayIn(zone, now) === day ? whenWords(i18n, session.startsLocal) : null;
  const [, , dayNumber = ''] = day.split('-');
  return (
    <section
      className="session-day"
      data-hue={session.courseHue ?? hueOf(session.courseId)}
      aria-labelledby="session"
    >
      <div className="cover">
        <p className="font-sans text-[0.9375rem] font-normal text-cover-ink/78">
          {t`Session ${number} of ${count}`}
          {when !== null && ` · ${when}`}
        </p>
        <p className="flex items-center gap-4">
          <span className="text-[3.5rem]/14 @min-[48rem]/page:text-[4.5rem]/18">
            {Number(dayNumber)}
          </span>
          <span className="grid text-[1.375rem]/7">
            <span>{monthOf(day, locale)}</span>
            <span className="font-sans text-base/6 font-normal text-cover-ink/78">
              {weekdayOf(day, locale)}
            </span>
          </span>
        </p>
      </div>
      <div className="grid min-w-0 content-center gap-3 p-6 @min-[48rem]/page:px-8">
        <h2 id="session" dir="auto">
          {title}
        </h2>
        <div className="text-muted">
          {isOnHome && (
            <p>
              <a className="link" href={paths.cohort(cohortId)}>
                <bdi>{session.cohortName}</bdi>
              </a>
            </p>
          )}
          <p>
            <Trans>
              {time} ({city})
            </Trans>
            {' · '}
            {beganWords(i18n, start, now)}
          </p>
          {place !== null && <p dir="auto">{place}</p>}
          {passcode !== null && joinUrl !== null && (
            <p>
              <Trans>Passcode: {code}</Trans>
            </p>
          )}
          {session.publicLine !== null && (
            <p dir="auto">
              <LinkedText text={session.publicLine} />
            </p>
          )}
          {isOnHome && session.owing > 0 && (
            <p>
              <a className="link" href={paymentPaths.cohort(cohortId, { show: 'owing' })}>
                <Plural
                  value={session.owing}
                  one="# person still has to pay"
                  other="# people still have to pay"
                />
              </a>
            </p>
          )}
        </div>
        <div className="actions mt-2 max-[45rem]:*:flex-[1_1_100%]">
          {joinUrl !== null && (
            <a className="button button-primary" href={joinUrl} rel="noreferrer">
              <Trans>Join session</Trans>
            </a>
          )}
          {isOnHome && joinUrl === null && (
            <a className="button button-primary" href={paths.cohort(cohortId)}>
              <Trans>Who is here</Trans>
            </a>
          )}
          <a className="button" href={emailPaths.message(cohortId)}>
            <span className="icon icon-mail" />
            <Trans>Write to the group</Trans>
          </a>
          {isOnHome && joinUrl !== null ? (
            <a className="button button-quiet" href={paths.cohort(cohortId)}>
              <Trans>Who is here</Trans>
            </a>
          ) : (
            <a className="button button-quiet" href={meetingPaths.page(cohortId, session.id)}>
              <Trans>Session notes</Trans>
            </a>
          )}
        </div>
      </div>
    </section>
  );
}

/** Who is at the session of now. */
export function Presence({ session, viewerId }: { session: Day; viewerId: string }) {
  const { i18n, t } = useLingui();
  const { people } = session;
  if (people.length === 0) {
    return null;
  }
  return (
    <section aria-label={t`Who is here`} className="min-w-0" data-sentry-mask>
      <WhoIsHere
        viewerId={viewerId}
        cohortId={session.cohortId}
        meetingId={session.id}
        locale={i18n.locale}
        stored={Object.fromEntries(
          people.flatMap(({ id, isPresent }) =>
            isPresent === null ? [] : [[id, isPresent === 1]],
          ),
        )}
        people={people.map(({ id, personId, name }) => ({
          id,
          name,
          head: (
            <>
              <PersonDisc id={personId} name={name} />
              <bdi>{name}</bdi>
            </>
          ),
        }))}
        title={
          <h2>
            <Trans>Who is here</Trans>
          </h2>
        }
        texts={presenceTexts(i18n)}
      />
      {people.length >= 100 && (
        <p>
          <a className="link" href={meetingPaths.attendance(session.cohortId)}>
            <Trans>Everyone, on the attendance page</Trans>
          </a>
        </p>
      )}
    </section>
  );
}

/** Who still has to pay, beside who is there; nothing where no one has. */
export function StillToPay({ session: { cohortId, debtors } }: { session: Day }) {
  const { i18n, t } = useLingui();
  const [first] = debtors;
  if (first === undefined) {
    return null;
  }
  const { people, owed, notAgreed, currency } = first;
  const amountOf = (minor: number) => priceOf(minor, currency, i18n.locale);
  const strangers = debtors.flatMap(({ hasAgreed, name }) => (hasAgreed ? [] : [name]));
  return (
    <section aria-labelledby="still-to-pay" className="grid gap-3" data-sentry-mask>
      <div>
        <h3 id="still-to-pay">{t`Still to pay`}</h3>
        <p className="hint">
          <Plural value={people} one="# person" other="# people" />
          {' · '}
          {amountOf(owed)}
        </p>
      </div>
      <ul className="who-is-here text-[0.9375rem]">
        {debtors.map(({ id, personId, name, balance }) => (
          <li key={id}>
            <PersonDisc id={personId} name={name} />
            <a href={paymentPaths.account(cohortId, id)}>
              <bdi>{name}</bdi>
            </a>
            <span className="ms-auto flex-none font-semibold text-warn">{amountOf(balance)}</span>
          </li>
        ))}
      </ul>
      {people > debtors.length && (
        <p>
          <a className="link" href={paymentPaths.cohort(cohortId, { show: 'owing' })}>
            <Trans>Show all</Trans>
          </a>
        </p>
      )}
      <Remind cohortId={cohortId} people={people} notAgreed={notAgreed} names={strangers} />
    </section>
  );
}

/** Which part of today it is. */
function whenWords(i18n: I18n, startsLocal: string): string {
  return i18n._(startsLocal.slice(11) >= '17:00' ? msg`tonight` : msg`today`);
}

function beganWords(i18n: I18n, start: Date, now: Date): string {
  if (start > now) {
    const until = timeUntil(start, now, i18n.locale);
    return i18n._(msg`begins ${until}`);
  }
  const ago = timeAgo(start, now, i18n.locale);
  return i18n._(ago === null ? msg`begins now` : msg`began ${ago}`);
}
