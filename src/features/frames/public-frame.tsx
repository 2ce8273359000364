import { useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { ShowFailures } from '#client/show-failures.tsx';
import { languageNames, locales } from '#db/values.ts';
import { failureTexts } from '#i18n/failures.ts';
import { Behavior } from '#ui/behavior.tsx';
import { KeptToast, Toasts } from '#ui/toast.tsx';
import { Wordmark } from './wordmark.tsx';

type PublicFrameProps = {
  title: string;
  /** What the links to the other language need before theirs: `token=…&`. */
  query?: string;
  /** Above everything. */
  notice?: ReactNode;
  /** Error dialog, toasts and the buttons of dialogs, unless the page has them. */
  hasTools?: boolean;
  children: ReactNode;
};

/** The frame of pages for people without an account: without the app, and with no way into it. */
export function PublicFrame(props: PublicFrameProps) {
  const { title, query = '', notice, hasTools = true, children } = props;
  const { i18n, t } = useLingui();
  return (
    <div className="public">
      <title>{`${title} · Lectern`}</title>
      <meta name="robots" content="noindex" />
      {notice}
      <header className="public-head">
        <Wordmark />
        <nav aria-label={t`Language`} className="words">
          {locales.map((locale) => (
            <a
              key={locale}
              href={`?${query}lang=${locale}`}
              lang={locale}
              hrefLang={locale}
              aria-current={locale === i18n.locale ? 'true' : undefined}
            >
              {languageNames[locale]}
            </a>
          ))}
        </nav>
      </header>
      {children}
      {hasTools && (
        <>
          <ShowFailures texts={failureTexts(i18n)} viewerId={null} />
          <Toasts close={t`Close`} />
          <KeptToast />
          <Behavior />
        </>
      )}
    </div>
  );
}
