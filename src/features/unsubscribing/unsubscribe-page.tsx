import { Trans, useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { PublicFrame } from '#features/frames/public-frame.tsx';
import { SettingsButton } from '#features/settings/settings-button.tsx';
import { emailPaths } from '#paths.ts';
import type { ShownSubscription } from './subscription.ts';

type UnsubscribePageProps = {
  link: string;
  subscription: ShownSubscription | null;
  /** Whether it was tried without scripts, and failed. */
  hasFailed: boolean;
};

/** Says which emails a link ends and which still come, with the button that does it. */
export function UnsubscribePage({ link, subscription, hasFailed }: UnsubscribePageProps) {
  const { t } = useLingui();
  if (!subscription?.reader) {
    return (
      <Frame link={link} title={subscription ? t`You’ve unsubscribed` : t`This link doesn’t work`}>
        <p className="frame-lead">
          {subscription ? (
            <Trans>We no longer keep anything about you here, so you won’t get these emails.</Trans>
          ) : (
            <Trans>This link isn’t complete. Please open it again from the email.</Trans>
          )}
        </p>
      </Frame>
    );
  }
  const { kind, reader } = subscription;
  const { isOn } = reader;
  const instructor = <bdi>{reader.instructor}</bdi>;
  const address = <strong>{reader.email}</strong>;
  const stop = <Trans>Stop these emails</Trans>;
  const words = {
    news: {
      title: t`Stop the daily news?`,
      ending: <Trans>{address} will get no more news of who joins, leaves or waits.</Trans>,
      ended: <Trans>You won’t get the daily news of your cohorts anymore.</Trans>,
      again: <Trans>Get the daily news again</Trans>,
      others: (
        <Trans>
          You’ll still get emails about signing in and about your account. You can change this in
          the settings, too.
        </Trans>
      ),
    },
    invitation: {
      title: t`Stop these invitations?`,
      ending: (
        <Trans>
          {address} will get no more invitations from {instructor}, and no reminders of them. Open
          invitations are declined.
        </Trans>
      ),
      ended: (
        <Trans>{instructor} can’t invite you anymore, and open invitations are declined.</Trans>
      ),
      again: <Trans>Allow invitations again</Trans>,
      others: (
        <Trans>
          You’ll still get emails about a place that you have or asked for: confirmations, your
          offer, new dates and cancellations. You can still enroll by yourself.
        </Trans>
      ),
    },
    reminder: {
      title: t`Stop reminders and messages?`,
      ending: (
        <Trans>
          {address} will get no more reminders from {instructor}, and no messages to the group.
        </Trans>
      ),
      ended: <Trans>You won’t get reminders or messages from {instructor} anymore.</Trans>,
      again: <Trans>Get reminders and messages again</Trans>,
      others: (
        <Trans>
          You’ll still get emails about your place: confirmations, your offer, new dates, and live
          sessions that are moved or canceled.
        </Trans>
      ),
    },
  }[kind];
  return (
    <Frame link={link} title={isOn ? words.title : t`You’ve unsubscribed`}>
      {isOn && hasFailed && (
        <div role="alert" className="alert my-6">
          <Trans>That didn’t work. Please try again in a moment.</Trans>
        </div>
      )}
      <p className="frame-lead">{isOn ? words.ending : words.ended}</p>
      <div className="noscript:hidden">
        <SettingsButton
          // Another button, which does not keep the focus of the one that was pressed.
          key={`${isOn}`}
          path={emailPaths.subscription}
          call={{ input: { link, is_on: !isOn } }}
          pendingLabel={t`One moment…`}
          done={isOn ? t`You’ve unsubscribed.` : t`You may get these emails again.`}
          className={isOn ? 'button button-primary' : 'button'}
        >
          {isOn ? stop : words.again}
        </SettingsButton>
      </div>
      {isOn && (
        <noscript>
          <form method="post" action={`${emailPaths.oneClick}?u=${encodeURIComponent(link)}`}>
            <button type="submit" name="page" value="1" className="button button-primary">
              {stop}
            </button>
          </form>
        </noscript>
      )}
      <p className="hint mt-4">{words.others}</p>
    </Frame>
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
