import { Trans, useLingui } from '@lingui/react/macro';
import type { PageProps } from 'waku/router';
import { unstable_redirect as redirect } from 'waku/router/server';
import { ConfirmInterestPage } from '#features/enrolling/confirm-interest-page.tsx';
import { findRequest } from '#features/enrolling/confirm-request.ts';
import { ConfirmRequestButton } from '#features/enrolling/confirm-request-button.tsx';
import { findInterest } from '#features/enrolling/find-interest.ts';
import { PublicFrame } from '#features/frames/public-frame.tsx';
import { Answer } from '#features/participant/answer.tsx';
import { HideToken } from '#features/sign-in/confirm-button.tsx';
import { isolated } from '#lib/text.ts';
import { pageData, pageRequest } from '#page-request.ts';
import { hueOf } from '#ui/brand.ts';

/** Shows what an emailed link confirms, and for whom. Only the button uses it, not opening it. */
export default async function ConfirmRequestPage({ query }: PageProps<'/p/confirm'>) {
  const { ctx, locale } = pageRequest();
  const { t } = useLingui();
  const parameters = new URLSearchParams(query);
  const token = parameters.get('token') ?? '';
  // A token is signed for one of the two, so only one of them asks the database.
  const request = await pageData(findRequest(ctx, token));
  if (request === null) {
    const interest = await pageData(findInterest(ctx, token));
    if (interest !== null) {
      if (!parameters.has('lang') && interest.language !== locale) {
        redirect(`/p/confirm?token=${token}&lang=${interest.language}`);
      }
      return <ConfirmInterestPage token={token} interest={interest} />;
    }
    return (
      <PublicFrame title={t`This link doesn’t work`}>
        <main className="public-column">
          <h1>{t`This link doesn’t work`}</h1>
          <p className="frame-lead">
            <Trans>
              A link that confirms works for 24 hours. Please open the page of the cohort and ask
              again; if you take part already, the email that comes then has the link to your page.
            </Trans>
          </p>
        </main>
      </PublicFrame>
    );
  }
  if (!parameters.has('lang') && request.language !== locale) {
    redirect(`/p/confirm?token=${token}&lang=${request.language}`);
  }
  const { cohortName, slug, isConfirmed, enrollmentState } = request;
  const name = <bdi>{request.name}</bdi>;
  const cohort = isolated(cohortName);
  const instructor = <bdi>{request.instructor}</bdi>;
  const who = isolated(request.instructor);
  const isWaitlist = enrollmentState === 'waitlist';
  const isApproval = enrollmentState === 'approval';
  // Where the browser puts the number in.
  const n = '#';
  const title = isConfirmed ? t`You’ve already confirmed` : t`Confirm your request`;
  return (
    // The address bar no longer has the token.
    <PublicFrame title={title} query={`token=${token}&`}>
      <HideToken />
      <main className="public-column">
        <ConfirmRequestButton
          token={token}
          label={
            isConfirmed
              ? t`See my place`
              : isApproval
                ? t`Ask for a place`
                : isWaitlist
                  ? t`Join the waitlist`
                  : t`Take a place`
          }
          pendingLabel={t`One moment…`}
          seePlace={t`See my place`}
          outcomes={{
            enrolled: {
              title: t`You are in.`,
              text: t`Your page has everything about your place. The link to it is in every email.`,
            },
            waitlisted: {
              title: t`You are number ${n} on the waitlist.`,
              text: isWaitlist
                ? t`When a place is free for you, we’ll email you.`
                : t`While you were confirming, the last place was taken. When one is free for you, we’ll email you.`,
            },
            applied: {
              title: t`Your request has arrived.`,
              text: t`${who} decides who takes part. We’ll email you the answer.`,
            },
            offered: {
              title: t`A place is kept for you.`,
              text: t`Please accept or decline it on your page.`,
            },
            other: {
              title: t`You no longer take part`,
              text: t`Your page says how you can come back.`,
            },
          }}
          question={
            <>
              <h1>
                {isConfirmed
                  ? title
                  : isApproval
                    ? t`Ask for a place in ${cohort}?`
                    : isWaitlist
                      ? t`Join the waitlist for ${cohort}?`
                      : t`Take a place in ${cohort}?`}
              </h1>
              <p className="frame-lead">
                <Trans>with {instructor}</Trans>
              </p>
              <div className="card address-card">
                <span className="avatar avatar-large" data-hue={hueOf(slug)} aria-hidden="true">
                  {[...request.name][0]?.toUpperCase()}
                </span>
                <p>
                  <strong>{name}</strong>
                  <span>{request.email}</span>
                </p>
              </div>
              <Answer of={request} />
            </>
          }
          details={
            <p className="hint mt-4">
              {isConfirmed ? (
                <Trans>Your page says where you stand.</Trans>
              ) : (
                <Trans>
                  Didn’t ask for this? Close this page. Nothing happens unless you click.
                </Trans>
              )}
            </p>
          }
          instead={
            <a className="button button-primary" href={`/c/${slug}?lang=${locale}`}>
              <Trans>See the cohort</Trans>
            </a>
          }
        />
      </main>
    </PublicFrame>
  );
}

export const getConfig = async () => ({ render: 'dynamic' }) as const;
