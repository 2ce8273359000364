import { Trans, useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import type { SubscriptionKind } from '#email/kinds.ts';
import { PublicFrame } from '#features/frames/public-frame.tsx';
import { emailPaths } from '#paths.ts';
import type { ShownSubscription } from './find-subscription.ts';
import { SubscriptionButton } from './subscription-button.tsx';

type UnsubscribePageProps = {
  link: string;
  subscription: ShownSubscription | null;
  /** Whether it was tried without scripts, and failed. */
  hasFailed: boolean;
};

/** Says which emails a link ends and which still come, with the button that does it. */
export function UnsubscribePage({ link, subscription, hasFailed }: UnsubscribePageProps) {
  const { t } = useLingui();
  if (subscription === null) {
    return (
      <Frame link={link} title={t`This link doesn’t work`}>
        <p className="frame-lead">
          <Trans>This link isn’t complete. Please open it again from the email.</Trans>
        </p>
      </Frame>
    );
  }
  const { kind, reader } = subscription;
  if (reader === null) {
    return (
      <Frame link={link} title={t`You’ve unsubscribed`}>
        <p className="frame-lead">
          <Trans>We no longer keep anything about you here, so you won’t get these emails.</Trans>
        </p>
      </Frame>
    );
  }
  const instructor = <bdi>{reader.instructor}</bdi>;
  const address = <strong>{reader.email}</strong>;
  if (!reader.isOn) {
    return (
      <Frame link={link} title={t`You’ve unsubscribed`}>
        <p className="frame-lead">
          {kind === 'news' && <Trans>You won’t get the daily news of your cohorts anymore.</Trans>}
          {kind === 'invitation' && (
            <Trans>{instructor} can’t invite you anymore, and open invitations are declined.</Trans>
          )}
          {kind === 'reminder' && (
            <Trans>You won’t get reminders or messages from {instructor} anymore.</Trans>
          )}
        </p>
        <div className="noscript:hidden">
          <SubscriptionButton
            path={emailPaths.subscription}
            link={link}
            isOn={true}
            pendingLabel={t`One moment…`}
            done={t`You may get these emails again.`}
            className="button"
          >
            {kind === 'news' && <Trans>Get the daily news again</Trans>}
            {kind === 'invitation' && <Trans>Allow invitations again</Trans>}
            {kind === 'reminder' && <Trans>Get reminders and messages again</Trans>}
          </SubscriptionButton>
        </div>
        <Rest kind={kind} />
      </Frame>
    );
  }
  const label = <Trans>Stop these emails</Trans>;
  const titles = {
    news: t`Stop the daily news?`,
    invitation: t`Stop these invitations?`,
    reminder: t`Stop reminders and messages?`,
  };
  return (
    <Frame link={link} title={titles[kind]}>
      {hasFailed && (
        <div role="alert" className="alert my-6">
          <Trans>That didn’t work. Please try again in a moment.</Trans>
        </div>
      )}
      <p className="frame-lead">
        {kind === 'news' && (
          <Trans>{address} will get no more news of who joins, leaves or waits.</Trans>
        )}
        {kind === 'invitation' && (
          <Trans>
            {address} will get no more invitations from {instructor}, and no reminders of them. Open
            invitations are declined.
          </Trans>
        )}
        {kind === 'reminder' && (
          <Trans>
            {address} will get no more reminders from {instructor}, and no messages to the group.
          </Trans>
        )}
      </p>
      <div className="noscript:hidden">
        <SubscriptionButton
          path={emailPaths.subscription}
          link={link}
          isOn={false}
          pendingLabel={t`One moment…`}
          done={t`You’ve unsubscribed.`}
          className="button button-primary"
        >
          {label}
        </SubscriptionButton>
      </div>
      <noscript>
        <form method="post" action={`${emailPaths.oneClick}?u=${encodeURIComponent(link)}`}>
          <button type="submit" name="page" value="1" className="button button-primary">
            {label}
          </button>
        </form>
      </noscript>
      <Rest kind={kind} />
    </Frame>
  );
}

/** Which emails come all the same. */
function Rest({ kind }: { kind: SubscriptionKind }) {
  return (
    <p className="hint mt-4">
      {kind === 'news' && (
        <Trans>
          You’ll still get emails about signing in and about your account. You can change this in
          the settings, too.
        </Trans>
      )}
      {kind === 'invitation' && (
        <Trans>
          You’ll still get emails about a place that you have or asked for: confirmations, your
          offer, new dates and cancellations. You can still enroll by yourself.
        </Trans>
      )}
      {kind === 'reminder' && (
        <Trans>
          You’ll still get emails about your place: confirmations, your offer, new dates, and live
          sessions that are moved or canceled.
        </Trans>
      )}
    </p>
  );
}

function Frame({ link, title, children }: { link: string; title: string; children: ReactNode }) {
  return (
    <PublicFrame title={title} query={`u=${encodeURIComponent(link)}&`}>
      <main className="public-column">
        <h1>{title}</h1>
        {children}
      </main>
    </PublicFrame>
  );
}
