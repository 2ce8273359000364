import { Trans, useLingui } from '@lingui/react/macro';
import { ForgetButton } from './forget-button.tsx';

/** Until when a device remembers its person, and how it forgets them. */
export function DeviceLine({ until }: { until: Date }) {
  const { i18n, t } = useLingui();
  const day = i18n.date(until, { dateStyle: 'long', timeZone: 'UTC' });
  return (
    <div className="learn-device">
      <p>{t`This device remembers you until ${day}.`}</p>
      <ForgetButton className="link" pendingLabel={t`One moment…`}>
        <Trans>Not your device? Forget me</Trans>
      </ForgetButton>
    </div>
  );
}
