import { Trans, useLingui } from '@lingui/react/macro';
import type { ComponentProps, ReactNode } from 'react';
import { Reports, type ReportsProps } from '#features/error-reports/reports.tsx';
import { LanguageChoice } from '#features/preferences/language-choice.tsx';
import { markOutline, markRules } from '#ui/brand.ts';
import { Toasts } from '#ui/toast.tsx';
import { Wordmark } from './wordmark.tsx';

type SignInLayoutProps = ReportsProps & {
  language?: Pick<ComponentProps<typeof LanguageChoice>, 'accountId' | 'search'>;
  /** At the top, beside the languages: the menu of a signed-in user. */
  account?: ReactNode;
  /** Whom the product is for, under its mark: strangers see this page first. */
  audience?: string;
  /** Dialogs and toasts; by default, only toasts. */
  tools?: ReactNode;
  /** Running text, in a wider column and without the cover. */
  isText?: boolean;
  /** Whether it does nothing without scripts. */
  hasForm?: boolean;
  /** The content of the column. A last element of the class `frame-foot` is at its foot. */
  children: ReactNode;
};

/**
 * The frame of all pages before the app: a cover and a column on a desk, the column on a phone.
 *
 * Every part has a place of its own in the grid, so that nothing moves while the page arrives.
 */
export function SignInLayout(props: SignInLayoutProps) {
  const { request, viewer, language, account, audience, tools, isText, hasForm, children } = props;
  const { t } = useLingui();
  return (
    <div
      className={`frame grid min-h-dvh grid-cols-1 ${isText ? 'frame-text' : 'lg:grid-cols-[minmax(0,5fr)_minmax(0,7fr)]'}`}
    >
      <Reports request={request} viewer={viewer ?? null} />
      {!isText && (
        // The product as the cover of a book, on a desk.
        <aside className="cover frame-panel">
          <div>
            <div>
              <span className="wordmark text-[1.5rem]">Lectern</span>
              {audience && (
                <p className="mt-1.5 font-sans text-[0.9375rem]/5 font-normal text-cover-ink/78">
                  {audience}
                </p>
              )}
            </div>
            <svg viewBox="3.83 5.7 24.34 22.5" aria-hidden="true">
              <path d={markOutline} />
              <path className="stroke-[0.2] opacity-60" d={markRules} />
            </svg>
            <p className="frame-line">{t`A calm place to build and run your courses.`}</p>
          </div>
        </aside>
      )}
      <div className="frame-page @container flex min-h-dvh flex-col">
        <header className={account ? 'frame-head frame-head-full' : 'frame-head'}>
          <Wordmark />
          {account}
          <LanguageChoice className="words" {...language} />
          {audience && <p className="col-span-full text-sm text-muted">{audience}</p>}
        </header>
        <main className="frame-main">
          {hasForm && (
            <noscript>
              <p className="notice mb-6">
                <Trans>
                  This page needs JavaScript. Please turn it on in your browser and reload the page.
                </Trans>
              </p>
            </noscript>
          )}
          {children}
        </main>
      </div>
      {tools ?? <Toasts close={t`Close`} />}
    </div>
  );
}
