import serifUrl from '@fontsource/source-serif-4/files/source-serif-4-latin-600-normal.woff2?url';
import '#styles/index.css';
import { useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { preload } from 'react-dom';
import { Reports } from '#features/error-reports/reports.tsx';
import type { Theme } from '#lib/browser-storage.ts';
import { pageRequest } from '#page-request.ts';
import { lostScriptListener } from '#router/lost-scripts.ts';
import { ErrorBoundary } from '#ui/error-boundary.tsx';

export default function Root({ children }: { children: ReactNode }) {
  const request = pageRequest();
  const { locale, look } = request;
  const { t } = useLingui();
  preload(serifUrl, { as: 'font', type: 'font/woff2', crossOrigin: '' });
  return (
    <html lang={locale} data-theme={look.theme ?? undefined}>
      <head>
        <script nonce={request.nonce}>{lostScriptListener}</script>
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        {look.theme !== 'dark' && (
          <meta name="theme-color" content="#faf7f1" media={inSystem('light', look.theme)} />
        )}
        {look.theme !== 'light' && (
          <meta name="theme-color" content="#171614" media={inSystem('dark', look.theme)} />
        )}
      </head>
      <body>
        <Reports request={request} />
        <ErrorBoundary
          texts={{
            title: t`Something went wrong`,
            message: t`This page couldn’t be shown. Please try again in a moment.`,
            retry: t`Try again`,
          }}
        >
          {children}
        </ErrorBoundary>
      </body>
    </html>
  );
}

/** Without a chosen theme, each theme color applies to systems of its scheme. */
function inSystem(scheme: Theme, chosen: Theme | null): string | undefined {
  return chosen === null ? `(prefers-color-scheme: ${scheme})` : undefined;
}

export const getConfig = async () => ({ render: 'dynamic' }) as const;
