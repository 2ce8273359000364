import { Trans, useLingui } from '@lingui/react/macro';
import { PictureForm } from '#features/files/picture-form.tsx';
import { pictureTexts } from '#features/files/picture-texts.ts';
import { Avatar } from '#features/identity/avatar.tsx';
import type { Viewer } from '#features/identity/find-actor.ts';
import { LanguageChoice } from '#features/preferences/language-choice.tsx';
import { ThemeSwitch } from '#features/preferences/theme-switch.tsx';
import { sectionIds } from '#features/settings/section-ids.ts';
import { SettingsButton } from '#features/settings/settings-button.tsx';
import type { Theme } from '#lib/browser-storage.ts';
import { apiPaths, serverPaths } from '#paths.ts';
import { EmailAddress } from '#ui/email-address.tsx';
import { Field, SubmitButton } from '#ui/form.tsx';
import { SettingsSection } from '#ui/settings-section.tsx';
import { TextArea } from '#ui/text-area.tsx';
import { AddressForm, ExportButton, ProfileForm } from './account-forms.tsx';
import { accountMessages } from './form-messages.ts';

type AccountSettingsProps = {
  viewer: Viewer;
  theme: Theme | null;
  contactAddress: string;
  /** Why no photo can be chosen; null if one can. */
  disabledReason: string | null;
  /** Whether people can pay online here. */
  takesPayments: boolean;
  children: React.ReactNode;
};

/** The settings of the user's account; the sessions are passed as children. */
export function AccountSettings(props: AccountSettingsProps) {
  const { viewer, theme, contactAddress, disabledReason, takesPayments, children } = props;
  const { i18n, t } = useLingui();
  const messages = accountMessages(i18n);
  const path = apiPaths.account(viewer.id);
  const contact = <EmailAddress>{contactAddress}</EmailAddress>;
  const pendingAddress = viewer.pendingEmail && (
    <strong>
      <EmailAddress>{viewer.pendingEmail}</EmailAddress>
    </strong>
  );
  return (
    <>
      <SettingsSection
        id={sectionIds.profile}
        title={t`Profile`}
        description={t`Your photo and your name, which also appears in our emails.`}
        note={<PhotoNote avatarUrl={viewer.avatarUrl} />}
      >
        <PictureForm
          path="/api/accounts/photo/"
          shape="photo"
          hasPicture={viewer.avatarUrl !== null}
          disabledReason={disabledReason}
          texts={{
            ...pictureTexts(i18n),
            choose: t`Choose a photo`,
            cut: t`The shaded parts will be cut off.`,
            use: t`Use this photo`,
            saved: t`Photo saved.`,
            remove: t`Remove photo`,
            removed: t`Photo removed.`,
          }}
        >
          <Avatar viewer={viewer} className="avatar size-16 text-[1.25rem]" />
        </PictureForm>
        <ProfileForm
          path={path}
          messages={messages}
          stored={{
            first_name: viewer.firstName,
            last_name: viewer.lastName,
            bio: viewer.bio ?? '',
          }}
          texts={{
            save: t`Save changes`,
            saving: t`Saving…`,
            unsaved: t`Not saved yet`,
            saved: t`Profile saved.`,
          }}
        >
          <div className="grid gap-4 sm:grid-cols-2">
            <Field label={t`First name`} name="first_name" autoComplete="given-name" required />
            <Field label={t`Last name`} name="last_name" autoComplete="family-name" required />
          </div>
          <TextArea
            name="bio"
            label={t`Your bio`}
            hint={t`Optional, up to 600 characters. Shown on the public pages of your courses.`}
            rows={4}
            dir="auto"
          />
        </ProfileForm>
      </SettingsSection>

      <SettingsSection
        id={sectionIds.email}
        title={t`Email address`}
        description={t`We send login links here. To change it, open the link we email to the new address; you’ll then be logged out everywhere else.`}
      >
        <p className="font-medium">
          <EmailAddress>{viewer.email}</EmailAddress>
        </p>
        {viewer.undeliverable && (
          <p className="alert">
            {viewer.undeliverable === 'bounced' ? (
              <Trans>
                An email to this address bounced, so we’ve stopped sending to it, including login
                links. Please use another address. You can still log in with Google. If that doesn’t
                work, write to {contact}.
              </Trans>
            ) : (
              <Trans>
                An email to this address was reported as spam, so we’ve stopped sending to it,
                including login links. Please use another address. You can still log in with Google.
                If that doesn’t work, write to {contact}.
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
              pendingLabel={t`Canceling…`}
              done={t`Your email address hasn’t changed.`}
            >
              <Trans>Cancel this change</Trans>
            </SettingsButton>
          </div>
        )}
        <AddressForm
          // A new form for another pending change.
          key={viewer.pendingEmail}
          path={path}
          messages={messages}
          sent={t`Check your new inbox and open the link to confirm.`}
          unchanged={t`Your email address hasn’t changed.`}
        >
          {/* The button is as far down as the input, or on a line of its own. */}
          <div className="flex flex-wrap items-start gap-x-3 [&>:first-child]:-mb-3.5 [&>:first-child]:flex-[1_0_min(14rem,100%)]">
            <Field
              id="new-email"
              label={t`New email address`}
              name="email"
              type="email"
              autoComplete="email"
              required
            />
            <SubmitButton
              label={t`Send confirmation link`}
              pendingLabel={t`Sending…`}
              className="button mt-6.5"
            />
          </div>
        </AddressForm>
      </SettingsSection>

      {takesPayments && (
        <SettingsSection
          id={sectionIds.gettingPaid}
          title={t`Getting paid`}
          description={t`Your Stripe account, to which people can pay by card when they enroll.`}
        >
          <a className="button" href={serverPaths.gettingPaid}>
            <Trans>Open Getting paid</Trans>
          </a>
        </SettingsSection>
      )}

      <SettingsSection
        id={sectionIds.news}
        title={t`Daily news`}
        description={t`One email in the morning, if people have joined or left your cohorts, or are waiting.`}
      >
        <SettingsButton
          path={path}
          call={{ method: 'PATCH', input: { roster_news: !viewer.rosterNews } }}
          pendingLabel={t`Saving…`}
          done={viewer.rosterNews ? t`Daily news switched off.` : t`Daily news switched on.`}
        >
          {viewer.rosterNews ? (
            <Trans>Switch daily news off</Trans>
          ) : (
            <Trans>Switch daily news on</Trans>
          )}
        </SettingsButton>
      </SettingsSection>

      <SettingsSection
        id={sectionIds.language}
        title={t`Language`}
        description={t`Used in the app and in our emails.`}
      >
        <LanguageChoice accountId={viewer.id} chosen={viewer.language} />
      </SettingsSection>

      <SettingsSection
        id={sectionIds.appearance}
        title={t`Appearance`}
        description={t`On this browser only.`}
      >
        <ThemeSwitch
          theme={theme}
          label={t`Appearance`}
          options={[
            { theme: null, label: t`System` },
            { theme: 'light', label: t`Light` },
            { theme: 'dark', label: t`Dark` },
          ]}
        />
      </SettingsSection>

      {children}

      <SettingsSection
        id={sectionIds.data}
        title={t`Your data`}
        description={t`Everything Lectern stores about you, in one file. It lists the files in your lessons: download those from each course’s Lessons page.`}
      >
        <ExportButton
          path={apiPaths.accountExport(viewer.id)}
          pendingLabel={t`Preparing…`}
          done={t`Your data has been downloaded.`}
        >
          <span className="icon icon-download" />
          {t`Download your data`}
        </ExportButton>
      </SettingsSection>
    </>
  );
}

/** Where the picture comes from, and what can become of it. */
function PhotoNote({ avatarUrl }: Pick<Viewer, 'avatarUrl'>) {
  const { t } = useLingui();
  if (avatarUrl === null) {
    return t`We show your initials. Choose a photo, or log in with Google to use your Google picture.`;
  }
  return avatarUrl.startsWith('/')
    ? t`This is the photo you chose. The public pages of your courses show it too. If you remove it, we show your initials, or your Google picture once you log in with Google again.`
    : t`This is your Google profile picture. You can change it in your Google account, or choose a photo here. The public pages of your courses show it too.`;
}
