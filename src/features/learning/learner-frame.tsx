import { Trans, useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { ShowFailures } from '#client/show-failures.tsx';
import { Wordmark } from '#features/frames/wordmark.tsx';
import { LanguageChoice } from '#features/preferences/language-choice.tsx';
import { failureTexts } from '#i18n/failures.ts';
import { Behavior } from '#ui/behavior.tsx';
import { KeptToast, Toasts } from '#ui/toast.tsx';
import { AccountButton, AccountMenu } from './account-menu.tsx';
import { SendKeptMarks } from './send-kept-marks.tsx';

/** What a preview has above everything, and instead of the tools of learners’ pages. */
export type PreviewParts = { bar: ReactNode; tools: ReactNode };

type LearnerFrameProps = {
  title: string;
  /** Whom this device remembers; null in a preview and for strangers. */
  person: { name: string } | null;
  preview?: PreviewParts | undefined;
  /** Of its content. */
  className?: string;
  children: ReactNode;
};

/** The frame of learners’ pages but a lesson’s own. */
export function LearnerFrame(props: LearnerFrameProps) {
  const { title, person, preview, className, children } = props;
  return (
    <div className="public learner-page">
      <LearnerHead title={title} />
      {preview?.bar}
      <header className="public-head">
        <Wordmark />
        {person !== null && <AccountButton name={person.name} className="learner-in-head" />}
        {person === null && !preview && <LanguageChoice className="words" />}
      </header>
      <main id="main" className={className}>
        {children}
      </main>
      {preview?.tools ?? <LearnerTools person={person} />}
    </div>
  );
}

/** The title of a page, and its first link. */
export function LearnerHead({ title }: { title: string }) {
  return (
    <>
      <title>{`${title} · Lectern`}</title>
      <meta name="robots" content="noindex" />
      <a
        className="fixed top-2 left-2 z-2 rounded-control bg-accent px-4 py-2 text-on-accent not-focus:pointer-events-none not-focus:[clip-path:inset(50%)]"
        href="#main"
      >
        <Trans>Skip to content</Trans>
      </a>
    </>
  );
}

/** What every page of learners has once. */
export function LearnerTools({ person }: Pick<LearnerFrameProps, 'person'>) {
  const { i18n, t } = useLingui();
  return (
    <>
      {person !== null && (
        <>
          <AccountMenu name={person.name} />
          <SendKeptMarks />
        </>
      )}
      <ShowFailures texts={failureTexts(i18n)} viewerId={null} />
      <Toasts close={t`Close`} />
      <KeptToast />
      <Behavior />
    </>
  );
}
