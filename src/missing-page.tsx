import 'server-only';
import { Trans, useLingui } from '@lingui/react/macro';
import type { ComponentProps } from 'react';
import { AppShell } from '#features/shell/app-shell.tsx';
import { currentRequest } from '#middleware/request-storage.ts';
import { paths } from './paths.ts';

type MissingPageProps = Pick<ComponentProps<typeof AppShell>, 'request'>;

/** What a page in the shell shows, with status 404, if its address has nothing of the viewer. */
export function MissingPage({ request }: MissingPageProps) {
  currentRequest().isMissing = true;
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
