import { Trans, useLingui } from '@lingui/react/macro';
import type { ComponentProps } from 'react';
import { paths } from '#paths.ts';
import { AppShell } from './app-shell.tsx';

type MissingPageProps = Pick<ComponentProps<typeof AppShell>, 'request'>;

/** What a page in the shell shows if there is nothing of the viewer at its address. */
export function MissingPage({ request }: MissingPageProps) {
  const { t } = useLingui();
  const title = t`Page not found`;
  return (
    <AppShell request={request} current="" title={title}>
      <div className="page-head">
        <h1>{title}</h1>
        <p>
          <Trans>The address may be mistyped, or the page has moved.</Trans>
        </p>
      </div>
      <div className="actions">
        <a className="button button-primary" href={paths.home}>
          <Trans>Go to home</Trans>
        </a>
      </div>
    </AppShell>
  );
}
