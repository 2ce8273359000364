import { Trans, useLingui } from '@lingui/react/macro';
import { PublicFrame } from '#features/frames/public-frame.tsx';
import { HideToken } from '#features/sign-in/confirm-button.tsx';
import { isolated } from '#lib/text.ts';
import { ConfirmInterest } from './confirm-interest-button.tsx';
import type { findInterest } from './find-interest.ts';

type ConfirmInterestPageProps = {
  token: string;
  interest: NonNullable<Awaited<ReturnType<typeof findInterest>>>;
};

/** Shows what an emailed link confirms: that someone waits for enrollment of a course. */
export function ConfirmInterestPage({ token, interest }: ConfirmInterestPageProps) {
  const { i18n, t } = useLingui();
  const { email, slug, isConfirmed, openSlug } = interest;
  const course = isolated(interest.courseName);
  const instructor = <bdi>{interest.instructor}</bdi>;
  const open = {
    title: t`Enrollment is open`,
    text: t`You can enroll now, so we don’t keep your address.`,
  };
  if (openSlug !== null && !isConfirmed) {
    return (
      <PublicFrame title={open.title} query={`token=${token}&`}>
        <HideToken />
        <main className="public-column">
          <h1>{open.title}</h1>
          <p className="frame-lead">{open.text}</p>
          <a className="button button-primary" href={`/c/${openSlug}?lang=${i18n.locale}`}>
            <Trans>See the cohort</Trans>
          </a>
        </main>
      </PublicFrame>
    );
  }
  return (
    // The address bar no longer has the token.
    <PublicFrame title={t`Tell me when enrollment opens`} query={`token=${token}&`}>
      <HideToken />
      <main className="public-column">
        <ConfirmInterest
          token={token}
          isConfirmed={isConfirmed}
          texts={{
            confirm: t`Tell me when enrollment opens`,
            pending: t`One moment…`,
            confirmed: {
              title: t`We’ll tell you`,
              text: t`As soon as enrollment in ${course} opens, you get one email from us. After that, or after a year, we delete your address.`,
            },
            open,
            seeCohort: t`See the cohort`,
            forget: t`Delete my address`,
            forgetting: t`One moment…`,
            forgotten: {
              title: t`Address deleted`,
              text: t`We have deleted your address. You won’t hear from us about this.`,
            },
          }}
          question={
            <>
              <h1>{t`Get an email when enrollment in ${course} opens?`}</h1>
              <p className="frame-lead">
                <Trans>with {instructor}</Trans>
              </p>
              <div className="card address-card">
                <p>
                  <span>{email}</span>
                </p>
              </div>
            </>
          }
          details={
            <p className="hint mt-4">
              <Trans>Didn’t ask for this? Close this page. Nothing happens unless you click.</Trans>
            </p>
          }
        />
        <p className="mt-8">
          <a className="link" href={`/c/${slug}?lang=${i18n.locale}`}>
            <Trans>See the page of the course</Trans>
          </a>
        </p>
      </main>
    </PublicFrame>
  );
}
