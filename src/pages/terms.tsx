import { Trans, useLingui } from '@lingui/react/macro';
import { TextList, TextPage, TextSection } from '#features/frames/text-page.tsx';
import { pageRequest } from '#page-request.ts';
import { serverPaths } from '#paths.ts';

/** Default terms. Operators edit this file to replace them with their own. */
export default function TermsPage() {
  const request = pageRequest();
  const { t } = useLingui();
  return (
    <TextPage
      request={request}
      title={t`Terms of use`}
      description={t`The rules for using Lectern: your account, your content, and what isn’t allowed.`}
      intro={
        <Trans>
          This text comes with the Lectern software; the operator of this site may replace it with
          their own. “We” are the people who run this site. To reach us, reply to any email from us.
        </Trans>
      }
      next={{ href: serverPaths.privacy, label: t`How we handle your data` }}
    >
      <TextSection title={t`What Lectern is`}>
        <p>
          <Trans>
            Lectern is where instructors create and run their courses, self-paced or in cohorts.
            Anything marked “Coming soon” isn’t ready yet.
          </Trans>
        </p>
      </TextSection>
      <TextSection title={t`Your account`}>
        <TextList>
          <Trans>
            You sign up with your name and an email address of your own, or with Google.
          </Trans>
          <Trans>
            There’s no password: anyone with access to your email or to the Google account you log
            in with can log in. Please keep both safe, and don’t share login links.
          </Trans>
          <Trans>If you think someone else has accessed your account, let us know.</Trans>
        </TextList>
      </TextSection>
      <TextSection title={t`Your content stays yours`}>
        <p>
          <Trans>
            What you put into Lectern remains yours. You allow us to store it, show it to you and
            use it as needed to run Lectern, and nothing more. We don’t sell it. Please add only
            what you have the right to use. You can download a copy in your settings, and your files
            with your lessons.
          </Trans>
        </p>
      </TextSection>
      <TextSection title={t`What isn’t allowed`}>
        <TextList>
          <Trans>Using Lectern to break the law, or to harm or deceive anyone.</Trans>
          <Trans>
            Having emails sent to people who didn’t ask for them, for example by signing up with
            their address.
          </Trans>
          <Trans>Accessing other people’s accounts or data, or trying to.</Trans>
          <Trans>
            Disrupting Lectern or circumventing its limits. If you find a vulnerability, please
            report it to us and don’t exploit it.
          </Trans>
        </TextList>
      </TextSection>
      <TextSection title={t`No guarantee`}>
        <p>
          <Trans>
            We provide Lectern “as is”. We do our best to keep it running and your courses safe, but
            we can’t promise that it’s always available or free of errors, or that nothing is ever
            lost: keep a copy of what matters to you. So that Lectern works for everyone, some
            actions are rate-limited.
          </Trans>
        </p>
        <p>
          <Trans>Nothing on this page limits your legal rights.</Trans>
        </p>
      </TextSection>
      <TextSection title={t`Closing your account`}>
        <p>
          <Trans>
            You can leave at any time: deleting your account in your settings takes effect
            immediately, and your courses go with it. We may close accounts that violate these
            terms, and we may stop running Lectern. Where we can, we’ll tell you beforehand, so that
            you have time to export your data.
          </Trans>
        </p>
      </TextSection>
      <TextSection title={t`Changes`}>
        <p>
          <Trans>
            We may change these terms. The terms on this page apply from the day they appear here.
            If you don’t agree with a change, you can delete your account.
          </Trans>
        </p>
      </TextSection>
    </TextPage>
  );
}
