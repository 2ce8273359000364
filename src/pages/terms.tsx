import { Trans, useLingui } from '@lingui/react/macro';
import { TextPage, TextSection } from '#features/shell/text-page.tsx';
import { pageRequest } from '#page-request.ts';
import { paths } from '#paths.ts';

/** Default terms. Operators edit this file to replace them with their own. */
export default function TermsPage() {
  const request = pageRequest();
  const { t } = useLingui();
  return (
    <TextPage
      request={request}
      title={t`Terms of use`}
      description={t`What applies when you use Lectern: your account, your content, and what is not allowed.`}
      intro={
        <Trans>
          This is the text that comes with the Lectern software; whoever runs this site may replace
          it with their own. “We” are the people who run this site. To reach us, answer any email
          from us.
        </Trans>
      }
      next={{ href: paths.privacy, label: t`How we treat your data` }}
    >
      <TextSection title={t`What Lectern is`}>
        <p>
          <Trans>
            Lectern is where instructors create their courses, at everyone’s own pace or for a
            cohort, and switch between them. Whatever is marked “Coming soon” is not ready yet.
          </Trans>
        </p>
      </TextSection>
      <TextSection title={t`Your account`}>
        <ul>
          <li>
            <Trans>
              You sign up with your name and an email address of your own, or with Google.
            </Trans>
          </li>
          <li>
            <Trans>
              There is no password: whoever can read your mail can log in, and so can whoever has
              the Google account that you log in with. Please keep both safe, and pass no login link
              on to anybody.
            </Trans>
          </li>
          <li>
            <Trans>If you think that somebody else has been in your account, tell us.</Trans>
          </li>
        </ul>
      </TextSection>
      <TextSection title={t`Your content stays yours`}>
        <p>
          <Trans>
            What you put into Lectern belongs to you as it did before. You allow us to store it, to
            show it to you, and to do with it what it takes to run Lectern, and nothing more. We do
            not sell it. Please put in only what you have the right to use. In your settings you can
            download a copy.
          </Trans>
        </p>
      </TextSection>
      <TextSection title={t`What is not allowed`}>
        <ul>
          <li>
            <Trans>Using Lectern to break the law, or to harm or deceive anybody.</Trans>
          </li>
          <li>
            <Trans>
              Having emails sent to people who did not ask for them, for example by signing up with
              their address.
            </Trans>
          </li>
          <li>
            <Trans>Getting into accounts or data of others, or trying to.</Trans>
          </li>
          <li>
            <Trans>
              Disturbing Lectern, or getting around its limits. Should you find a weakness, please
              tell us about it and do not use it.
            </Trans>
          </li>
        </ul>
      </TextSection>
      <TextSection title={t`No guarantee`}>
        <p>
          <Trans>
            We provide Lectern as it is. We do our best to keep it running and your courses safe,
            but we cannot promise that it is always there, that it is free of errors, or that
            nothing is ever lost: keep a copy of what matters to you. So that Lectern works for
            everybody, some things can be done only so often in a given time.
          </Trans>
        </p>
        <p>
          <Trans>Rights that the law gives you are not touched by anything on this page.</Trans>
        </p>
      </TextSection>
      <TextSection title={t`Ending`}>
        <p>
          <Trans>
            You may leave whenever you like: deleting your account in your settings takes effect at
            once, and your courses go with it. We may close accounts that are used against these
            terms, and we may stop running Lectern. Wherever we can, we tell you beforehand, so that
            you have time to take your data along.
          </Trans>
        </p>
      </TextSection>
      <TextSection title={t`Changes`}>
        <p>
          <Trans>
            We may change these terms; those on this page are the ones that apply, from the day they
            appear here. If you do not agree with a change, you may delete your account.
          </Trans>
        </p>
      </TextSection>
    </TextPage>
  );
}

export const getConfig = async () => ({ render: 'dynamic' }) as const;
