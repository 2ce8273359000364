import { Trans, useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { earlyUntil } from '#features/cohorts/enrollment-words.ts';
import { priceAt } from '#features/cohorts/price-at.ts';
import { ReaderTime } from '#features/cohorts/reader-time.tsx';
import { Countdown } from '#features/enrolling/countdown.tsx';
import { errors as stripeErrors } from '#features/stripe/vocabulary.ts';
import { problemTexts } from '#i18n/validation.ts';
import { payableLimits } from '#lib/payable-amounts.ts';
import { fullPriceOf, priceOf } from '#lib/price.ts';
import { dayOfWallTime } from '#lib/time/calendar.ts';
import { dayOfYear, momentIn, timeIn } from '#lib/time/words.ts';
import { cityOf } from '#lib/time/zones.ts';
import { Fact } from '#ui/fact.tsx';
import { LinkedText } from '#ui/linked-text.tsx';
import { accountCurrency } from './find-participant.ts';
import { PaidNote, PayButton } from './pay-button.tsx';
import type { OwnPlace, PlaceProps } from './place-card.tsx';

/** Whether a place is kept for someone until they pay for it online. */
export function isToBePaid({ status, payable }: OwnPlace): boolean {
  return status === 'offered' && payable > 0;
}

/** Which day it is then needs no word. */
const soonMs = 12 * 60 * 60 * 1000;

type KeptUntilProps = { place: OwnPlace; until: Date; now: Date };

/** Until when a place is kept, by the reader's clock and by that of the cohort. */
export function KeptUntil({ place, until, now }: KeptUntilProps) {
  const { i18n, t } = useLingui();
  const { locale } = i18n;
  const { time_zone: zone } = place;
  const isSoon = until.getTime() - now.getTime() < soonMs;
  const time = isSoon ? timeIn(zone, until, locale) : momentIn(zone, until, locale);
  const city = cityOf(zone, locale);
  // A day or a time, which are two texts in French.
  const sentenceOf = (moment: string) =>
    isSoon
      ? t`Your place is kept until ${moment}.`
      : t({ message: `Your place is kept until ${moment}.`, context: 'a day' });
  const leftOf = (time: string) => t`${time} left`;
  return (
    <Countdown
      from={place.statusChangedAt.toISOString()}
      until={until.toISOString()}
      now={now.toISOString()}
      locale={locale}
      // Where the browser puts the time in.
      text={`${leftOf('#')} · ${t`${time} in ${city}`}`}
      sentence={
        <p className="place-sentence">
          <ReaderTime
            at={until.toISOString()}
            zone={zone}
            locale={locale}
            text={sentenceOf('#')}
            sameText={sentenceOf(time)}
            room={sentenceOf(time)}
            isSoon={isSoon}
          />
        </p>
      }
    />
  );
}

/** What a place that is kept costs, and the way to pay for it. */
export function PayForPlace(props: PlaceProps) {
  const { i18n, t } = useLingui();
  const { place, instructor, now } = props;
  const { payable, earlyUntilLocal } = place;
  const currency = accountCurrency(place);
  const price = priceAt(place, now);
  const credit = (price?.minorNow ?? payable) - payable;
  const full = (minor: number) => fullPriceOf(minor, currency, i18n.locale);
  const name = <bdi>{instructor}</bdi>;
  const since = earlyUntilLocal && dayOfYear(dayOfWallTime(earlyUntilLocal), i18n.locale);
  const label = price?.early
    ? earlyUntil(i18n, price.early.untilLocal)
    : since
      ? t`Price since ${since}`
      : t`Price`;
  const amount = priceOf(payable, currency, i18n.locale);
  return (
    <>
      <dl className="pay-lines mb-2">
        <Fact term={label}>{full(payable + credit)}</Fact>
        {credit > 0 && <Fact term={t`Already on your account`}>{full(-credit)}</Fact>}
        <Fact term={<Trans>You pay {name}</Trans>}>{amount}</Fact>
      </dl>
      <Pay {...props} isPlace look="button-primary button-large">
        {t`Pay ${amount}`}
      </Pay>
    </>
  );
}

/** The way to pay online what is owed, if it is enough for that. */
export function PayWhatIsOwed(props: PlaceProps) {
  const { i18n } = useLingui();
  const { instructor, place } = props;
  const name = <bdi>{instructor}</bdi>;
  const currency = accountCurrency(place);
  const { least } = payableLimits(currency);
  if ((place.sums?.balance ?? 0) < least) {
    const amount = <span>{priceOf(least, currency, i18n.locale)}</span>;
    return (
      <p className="hint">
        <Trans>
          That’s too little to pay online: Stripe takes {amount} or more. Please pay {name}{' '}
          directly.
        </Trans>
      </p>
    );
  }
  return (
    <>
      <Pay {...props} isPlace={false} look="">
        <Trans>Pay online</Trans>
      </Pay>
      {place.takesPayments && !place.isConfirming && (
        <p className="hint">
          <Trans>
            You pay {name} on Stripe’s page, by card or what your bank offers. Lectern keeps the
            account.
          </Trans>
        </p>
      )}
    </>
  );
}

type PayProps = PlaceProps & { isPlace: boolean; look: string; children: ReactNode };

/** The button, if there is anything that it could do now. */
function Pay({ place, link, instructor, checkoutOrigin, isPlace, look, children }: PayProps) {
  const { i18n, t } = useLingui();
  const name = <bdi>{instructor}</bdi>;
  // A second payment while the first is on its way would be one too many.
  if (place.isConfirming) {
    return null;
  }
  if (!place.takesPayments) {
    return (
      <p className="notice">
        {isPlace ? (
          <Trans>
            {name} takes no online payments at the moment. Please try again before your place goes
            to someone else, or write to them.
          </Trans>
        ) : (
          <Trans>
            {name} takes no online payments at the moment. Please try again later, or ask them how
            to pay.
          </Trans>
        )}
      </p>
    );
  }
  const refunds = <LinkedText text={place.refundNote ?? ''} />;
  const button = (
    <PayButton
      link={link}
      enrollmentId={place.id}
      isPlace={isPlace}
      checkoutOrigin={checkoutOrigin}
      texts={{
        ...problemTexts(i18n),
        pending: t`Opening Stripe…`,
        tryAgain: t`Try again`,
        unavailable: i18n._(stripeErrors.payment_unavailable.text),
      }}
      className={`button ${look} w-full`}
    >
      {children}
    </PayButton>
  );
  return place.refundNote === null ? (
    button
  ) : (
    <>
      {button}
      <p className="hint" dir="auto">
        <Trans>Refunds: {refunds}</Trans>
      </p>
    </>
  );
}

/** What has become of payments: of one just now, and of those that wait for something. */
export function PaymentNotes({ place, instructor }: PlaceProps) {
  const { isConfirming, decideBy } = place;
  return (
    <>
      <PaidNote enrollmentId={place.id} />
      {isConfirming && (
        <p className="payment-note">
          <span className="icon icon-clock" />
          <Trans>Your bank is still confirming this payment. We’ll email you.</Trans>
        </p>
      )}
      {decideBy !== null && (
        <p className="payment-note" data-kind="warn">
          <span className="icon icon-alert" />
          <Undecided zone={place.time_zone} decideBy={new Date(decideBy)} instructor={instructor} />
        </p>
      )}
    </>
  );
}

type UndecidedProps = { zone: string; decideBy: Date; instructor: string };

/** That a payment waits for its instructor, and until when. */
function Undecided({ zone, decideBy, instructor }: UndecidedProps) {
  const { i18n } = useLingui();
  const name = <bdi>{instructor}</bdi>;
  const moment = <span>{momentIn(zone, decideBy, i18n.locale)}</span>;
  const city = <span>{cityOf(zone, i18n.locale)}</span>;
  return (
    <span>
      <Trans>
        Your payment came when the place was no longer yours. {name} decides until {moment} ({city}
        ). Otherwise, you’re refunded in full automatically.
      </Trans>
    </span>
  );
}
