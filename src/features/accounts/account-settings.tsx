import { Trans, useLingui } from '@lingui/react/macro';
import type { Viewer } from '#features/auth/find-actor.ts';
import { LanguageChoice } from '#features/language/language-choice.tsx';
import { SaveForm } from '#features/settings/save-form.tsx';
import { SettingsButton } from '#features/settings/settings-button.tsx';
import type { Theme } from '#features/theme/theme.ts';
import { ThemeSwitch } from '#features/theme/theme-switch.tsx';
import { formMessages } from '#i18n/validation.ts';
import { apiPaths } from '#paths.ts';
import { EmailAddress } from '#ui/email-address.tsx';
import { Field, SubmitButton } from '#ui/form.tsx';
import { SettingsSection } from '#ui/settings-section.tsx';
import { Avatar } from './avatar.tsx';
import { DeleteAccountDialog, deleteAccountDialogId } from './delete-account-dialog.tsx';
import { ExportButton } from './export-button.tsx';

type AccountSettingsProps = {
  viewer: Viewer;
  theme: Theme | null;
  contactAddress: string;
  children: React.ReactNode;
};

/** The settings of the user's account; the sessions are passed as children. */
export function AccountSettings({ viewer, theme, contactAddress, children }: AccountSettingsProps) {
  const { i18n, t } = useLingui();
  const messages = formMessages(i18n);
  const path = apiPaths.account(viewer.id);
  const save = (
    <div>
      <SubmitButton label={t`Save`} pendingLabel={t`Saving…`} />
    </div>
  );
  const contact = <EmailAddress>{contactAddress}</EmailAddress>;
  const pendingAddress = viewer.pendingEmail && (
    <strong>
      <EmailAddress>{viewer.pendingEmail}</EmailAddress>
    </strong>
  );
  return (
    <>
      <SettingsSection
        id="profile"
        title={t`Profile`}
        description={t`Your name, as it stands in the app and in our mails.`}
      >
        <div className="flex items-center gap-4">
          <Avatar viewer={viewer} />
          <p className="text-sm text-muted">
            {viewer.avatarUrl === null ? (
              <Trans>
                Your initials stand for you. Who logs in with Google gets their picture from there.
              </Trans>
            ) : (
              <Trans>This is your picture at Google. You can change it there.</Trans>
            )}
          </p>
        </div>
        <SaveForm kind="account" path={path} messages={messages} saved={t`Your name is saved.`}>
          <div className="grid gap-4 sm:grid-cols-2">
            <Field
              label={t`First name`}
              name="first_name"
              autoComplete="given-name"
              required
              defaultValue={viewer.firstName}
            />
            <Field
              label={t`Last name`}
              name="last_name"
              autoComplete="family-name"
              required
              defaultValue={viewer.lastName}
            />
          </div>
          {save}
        </SaveForm>
      </SettingsSection>

      <SettingsSection
        id="email"
        title={t`Email address`}
        description={t`Login links go there. A new address counts once you have opened the link that we mail to it; every other browser is then logged out.`}
      >
        <p>
          <strong>
            <EmailAddress>{viewer.email}</EmailAddress>
          </strong>
        </p>
        {viewer.undeliverable && (
          <p className="alert">
            {viewer.undeliverable === 'bounced' ? (
              <Trans>
                An email to this address came back, so we send no more there, login links among
                them. Please use another address. You can still log in with Google; if that does not
                work for you, write to {contact}.
              </Trans>
            ) : (
              <Trans>
                Our email to this address was reported as spam, so we send no more there, login
                links among them. Please use another address. You can still log in with Google; if
                that does not work for you, write to {contact}.
              </Trans>
            )}
          </p>
        )}
        {pendingAddress && (
          <div className="notice grid gap-3">
            <p>
              <Trans>
                We’ve emailed a link to {pendingAddress}. Open it within 24 hours to confirm the
                change. The change is canceled if you log in again or log out of the browser you
                requested it in.
              </Trans>
            </p>
            <SettingsButton
              path={path}
              call={{ method: 'PATCH', input: { email: viewer.email } }}
              pendingLabel={t`Calling it off…`}
              done={t`Your address stays as it is.`}
            >
              <Trans>Call it off</Trans>
            </SettingsButton>
          </div>
        )}
        <SaveForm
          // A new form for another pending change.
          key={viewer.pendingEmail}
          kind="account"
          path={path}
          messages={messages}
          saved={t`Now open the link in the mail to your new address.`}
          unchanged={t`Your address stays as it is.`}
        >
          <Field
            id="new-email"
            label={t`New email address`}
            name="email"
            type="email"
            autoComplete="email"
            required
          />
          <div>
            <SubmitButton label={t`Mail me a link`} pendingLabel={t`Sending…`} />
          </div>
        </SaveForm>
      </SettingsSection>

      <SettingsSection
        id="language"
        title={t`Language`}
        description={t`Of the app and of our mails.`}
      >
        <LanguageChoice accountId={viewer.id} />
      </SettingsSection>

      <SettingsSection id="appearance" title={t`Appearance`} description={t`In this browser.`}>
        <ThemeSwitch
          theme={theme}
          label={t`Appearance`}
          options={[
            { theme: null, label: t`As the system` },
            { theme: 'light', label: t`Light` },
            { theme: 'dark', label: t`Dark` },
          ]}
        />
      </SettingsSection>

      {children}

      <SettingsSection
        id="data"
        title={t`Your data`}
        description={t`Everything that Lectern keeps about you, in one file.`}
      >
        <ExportButton
          path={apiPaths.accountExport(viewer.id)}
          pendingLabel={t`Collecting…`}
          done={t`Your data is in your downloads.`}
        >
          <span className="icon icon-download" />
          <Trans>Download your data</Trans>
        </ExportButton>
      </SettingsSection>

      <SettingsSection
        id="delete"
        title={t`Delete your account`}
        description={t`At once and for good, with all of your courses. Nobody can bring them back.`}
      >
        <div>
          <button
            type="button"
            className="button button-danger"
            command="show-modal"
            commandfor={deleteAccountDialogId}
          >
            <span className="icon icon-trash" />
            <Trans>Delete your account</Trans>
          </button>
        </div>
      </SettingsSection>
      <DeleteAccountDialog viewer={viewer} />
    </>
  );
}
