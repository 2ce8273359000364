import { Trans, useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import type { Locale } from '#db/values.ts';
import type { EnrollmentState } from '#features/cohorts/cohort-status.ts';
import { priceOf } from '#lib/price.ts';
import { isolated } from '#lib/text.ts';
import { dayRange } from '#lib/time/words.ts';
import { cityOf } from '#lib/time/zones.ts';
import { hueOf } from '#ui/brand.ts';
import { Fact } from '#ui/fact.tsx';
import { accessWords } from './access-words.ts';
import { Answer } from './answer.tsx';
import type { findInterest } from './confirm-interest.ts';
import type { findRequest } from './confirm-request.ts';
import { ConfirmationButton } from './confirmation-button.tsx';
import { DeadLink, LinkFrame } from './link-frame.tsx';

type QuestionProps = { title: string; instructor: string; children: ReactNode };

/** What the button does, and for whom. */
function Question({ title, instructor, children }: QuestionProps) {
  const teacher = <bdi>{instructor}</bdi>;
  return (
    <>
      <h1>{title}</h1>
      <p className="frame-lead">
        <Trans>with {teacher}</Trans>
      </p>
      <div className="card address-card">{children}</div>
    </>
  );
}

function NotYou() {
  return (
    <p className="hint mt-4">
      <Trans>Didn’t ask for this? Close this page. Nothing happens unless you click.</Trans>
    </p>
  );
}

type ConfirmRequestPageProps = {
  token: string;
  /** What opens the lessons of a course in which one starts at once; see `useConfirmedLink`. */
  start: ReactNode;
  request: NonNullable<Awaited<ReturnType<typeof findRequest>>>;
};

type RequestProps = Pick<ConfirmRequestPageProps, 'request'>;

/** When the cohort takes place, and what a place costs at this moment; or how long one can read. */
function PlaceFacts({ request }: RequestProps) {
  const { i18n, t } = useLingui();
  const { kind, startsOn, endsOn, timeZone, accessDays, price } = request;
  const amountOf = (minor: number) => price && priceOf(minor, price.currency, i18n.locale);
  const minor = price?.minorNow ?? 0;
  const usual = <span>{price && amountOf(price.minor)}</span>;
  return (
    <dl className="facts own-answer">
      {kind === 'dated' ? (
        <Fact term={t`Dates`}>
          {dayRange(startsOn, endsOn, i18n.locale)} ({cityOf(timeZone, i18n.locale as Locale)})
        </Fact>
      ) : (
        <Fact term={t`Access`}>{accessWords(i18n, accessDays)}</Fact>
      )}
      {minor > 0 && (
        <Fact term={t`Price`}>
          {amountOf(minor)}
          {price?.early && (
            <>
              {' · '}
              <Trans>early price, {usual} later</Trans>
            </>
          )}
        </Fact>
      )}
    </dl>
  );
}

/** When a place is kept until it is paid: at once, or only when there is one. */
function ThenPay({ state }: { state: EnrollmentState }) {
  return state === 'open' ? (
    <Trans>Your place is then kept for an hour. You pay on the next page, and it’s yours.</Trans>
  ) : (
    <Trans>When a place is kept for you, you pay for it online, and it’s yours.</Trans>
  );
}

/** What an emailed link confirms: that someone would like a place. */
export function ConfirmRequestPage({ token, start, request }: ConfirmRequestPageProps) {
  const { i18n, t } = useLingui();
  const { slug, isConfirmed, enrollmentState, paysFirst } = request;
  const cohort = isolated(request.name);
  const course = isolated(request.courseName);
  const instructor = isolated(request.instructor);
  const isRun = request.kind === 'open';
  const isWaitlist = enrollmentState === 'waitlist';
  const isApproval = enrollmentState === 'approval';
  // Where the browser puts the number in.
  const n = '#';
  const title = isConfirmed ? t`You’ve already confirmed` : t`Confirm your request`;
  // An open run has the name of its course.
  const ask = isApproval
    ? {
        label: t`Ask for a place`,
        question: isRun
          ? t`Ask for a place in ${course}`
          : t`Ask for a place in ${course} (${cohort})`,
      }
    : isWaitlist
      ? {
          label: t`Join the waitlist`,
          question: isRun
            ? t`Join the waitlist for ${course}`
            : t`Join the waitlist for ${course} (${cohort})`,
        }
      : {
          label: t`Confirm my place`,
          question: isRun
            ? t`Confirm your place in ${course}`
            : t`Confirm your place in ${course} (${cohort})`,
        };
  return (
    <LinkFrame title={title} token={token}>
      <ConfirmationButton
        path="/api/public/requests/confirm/"
        token={token}
        texts={{
          confirm: isConfirmed ? t`Open my page` : ask.label,
          pending: t`One moment…`,
          next: t`Open my page`,
        }}
        // Those who have just enrolled in an open run can start; at a later visit, their page opens.
        {...(isRun && !isConfirmed ? { start } : { arrived: t`You’re in!` })}
        {...(paysFirst && { kept: t`Your place is kept.` })}
        outcomes={{
          ...(isRun && {
            enrolled: {
              title: t`You can start now.`,
              text: t`The link in our emails brings you back at any time.`,
            },
          }),
          waitlisted: {
            title: t`You’re number ${n} on the waitlist.`,
            text: isWaitlist
              ? t`When a place is free for you, we’ll email you.`
              : t`While you were confirming, the last place was taken. When one is free for you, we’ll email you.`,
          },
          applied: {
            title: t`Your request has arrived.`,
            text: t`${instructor} decides who takes part. We’ll email you the answer.`,
          },
          offered: {
            title: t`A place is kept for you.`,
            text: t`Please accept or decline it on your page.`,
          },
          other: {
            title: isRun ? t`You’ve left this course` : t`You’ve left this cohort`,
            text: t`Your page says how you can come back.`,
          },
        }}
        question={
          <>
            <Question title={isConfirmed ? title : ask.question} instructor={request.instructor}>
              <span className="avatar avatar-large" data-hue={hueOf(slug)} aria-hidden="true">
                {[...request.personName][0]?.toUpperCase()}
              </span>
              <p>
                <strong>
                  <bdi>{request.personName}</bdi>
                </strong>
                <span>{request.email}</span>
              </p>
            </Question>
            <PlaceFacts request={request} />
            <Answer of={request} />
          </>
        }
        details={
          isConfirmed ? (
            <p className="hint mt-4">
              <Trans>Your page shows the status of your request.</Trans>
            </p>
          ) : (
            <>
              {paysFirst && (
                <p className="mt-4">
                  <ThenPay state={enrollmentState} />
                </p>
              )}
              <NotYou />
            </>
          )
        }
        instead={
          <a className="button button-primary" href={`/c/${slug}?lang=${i18n.locale}`}>
            {isRun ? <Trans>See the course</Trans> : <Trans>See the cohort</Trans>}
          </a>
        }
      />
    </LinkFrame>
  );
}

type ConfirmInterestPageProps = {
  token: string;
  interest: NonNullable<Awaited<ReturnType<typeof findInterest>>>;
};

/** What an emailed link confirms: that someone waits for enrollment of a course. */
export function ConfirmInterestPage({ token, interest }: ConfirmInterestPageProps) {
  const { i18n, t } = useLingui();
  const { email, slug, instructor, isConfirmed, openSlug, isOpenRun } = interest;
  const course = isolated(interest.courseName);
  const isOpen = openSlug !== null && !isConfirmed;
  const pageOf = (page: string) => `/c/${page}?lang=${i18n.locale}`;
  const open = {
    title: t`Enrollment is open`,
    text: t`You can enroll now, so we don’t keep your address.`,
  };
  return (
    <LinkFrame title={isOpen ? open.title : t`Tell me when enrollment opens`} token={token}>
      <ConfirmationButton
        path="/api/public/interests/confirm/"
        token={token}
        {...(isOpen && { outcome: { key: 'open', href: pageOf(openSlug) } })}
        {...(isConfirmed && { outcome: { key: 'waiting' } })}
        texts={{
          confirm: t`Tell me when enrollment opens`,
          pending: t`One moment…`,
          next: isOpenRun ? t`See the course` : t`See the cohort`,
          forget: t`Delete my address`,
        }}
        outcomes={{
          waiting: {
            title: t`We’ll tell you`,
            text: t`As soon as enrollment in ${course} opens, you get one email from us. After that, or after a year, we delete your address.`,
          },
          open,
          forgotten: {
            title: t`Address deleted`,
            text: t`We have deleted your address. You won’t hear from us about this.`,
          },
        }}
        question={
          <Question
            title={t`Get an email when enrollment in ${course} opens?`}
            instructor={instructor}
          >
            <p>
              <span>{email}</span>
            </p>
          </Question>
        }
        details={<NotYou />}
      />
      {!isOpen && (
        <p className="mt-8">
          <a className="link" href={pageOf(slug)}>
            <Trans>See the page of the course</Trans>
          </a>
        </p>
      )}
    </LinkFrame>
  );
}

/** In the place of both for a link that has expired, or that never was one. */
export function DeadConfirmationPage() {
  return (
    <DeadLink
      text={
        <Trans>
          A link that confirms works for 24 hours. Please go back to the page where you asked, and
          ask again; if you take part already, the email that comes then has the link to your page.
        </Trans>
      }
    />
  );
}
