import { Trans, useLingui } from '@lingui/react/macro';
import { ForgetButton } from './forget-button.tsx';

/** Until when a device remembers its person, and how it forgets them. */
export function DeviceLine({ until }: { until: Date }) {
  const { i18n, t } = useLingui();
  const day = i18n.date(until, { dateStyle: 'long', timeZone: 'UTC' });
  return (
    <div className="learn-device mt-4 text-sm/5 text-muted">
      <p>{t`This device remembers you until ${day}.`}</p>
      <ForgetButton className="link min-h-11" pendingLabel={t`One moment…`}>
        <Trans>Not your device? Forget me</Trans>
      </ForgetButton>
    </div>
  );
}
