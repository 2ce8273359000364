import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { SettingsButton } from '#features/settings/settings-button.tsx';
import { browserName } from '#lib/browser-name.ts';
import { timeAgo } from '#lib/relative-time.ts';
import { apiPaths } from '#paths.ts';
import { SettingsSection } from '#ui/settings-section.tsx';
import type { Session } from './schema.ts';

type SessionListProps = { sessions: Session[]; now: Date };

/** The user's active sessions, with buttons to end them. */
export function SessionList({ sessions, now }: SessionListProps) {
  const { i18n, t } = useLingui();
  const others = sessions.filter(({ is_current: isCurrent }) => !isCurrent).length;
  return (
    <SettingsSection
      id="sessions"
      title={t`Where you are logged in`}
      description={t`Log out whatever you do not know or no longer use.`}
    >
      <ul className="rows">
        {sessions.map((session) => (
          <li key={session.id}>
            <span className="icon icon-device" />
            <div className="min-w-0 flex-1">
              <p className="font-semibold">
                {browserName(session.user_agent) ?? t`Unknown browser`}{' '}
                {session.is_current && (
                  <span className="badge">
                    <Trans>This device</Trans>
                  </span>
                )}
              </p>
              <p className="text-sm text-muted">
                <Trans>
                  Logged in{' '}
                  <time dateTime={session.created_at}>
                    {timeAgo(new Date(session.created_at), now, i18n.locale)}
                  </time>
                </Trans>
              </p>
            </div>
            {!session.is_current && (
              <SettingsButton
                path={apiPaths.session(session.id)}
                call={{ method: 'DELETE' }}
                pendingLabel={t`Logging out…`}
                done={t`That browser is logged out.`}
              >
                <Trans>Log out</Trans>
              </SettingsButton>
            )}
          </li>
        ))}
      </ul>
      {others > 0 ? (
        <SettingsButton
          path={apiPaths.session('others')}
          call={{ method: 'DELETE' }}
          pendingLabel={t`Logging out…`}
          done={t`All other browsers are logged out.`}
        >
          <Plural
            value={others}
            one="Log out the other browser"
            other="Log out all # other browsers"
          />
        </SettingsButton>
      ) : (
        <p className="text-sm text-muted">
          <Trans>You are logged in nowhere else.</Trans>
        </p>
      )}
    </SettingsSection>
  );
}
