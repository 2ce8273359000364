import { useLingui } from '@lingui/react/macro';
import type { ComponentProps } from 'react';
import { Empty } from '#ui/empty.tsx';
import { AppShell } from './app-shell.tsx';

type ComingPageProps = ComponentProps<typeof AppShell> & { subtitle?: string };

/** A page for a feature that is not built yet: says what it will do, and has no controls. */
export function ComingPage({ subtitle, children, ...shell }: ComingPageProps) {
  const { t } = useLingui();
  return (
    <AppShell {...shell}>
      <div className="page-head">
        <h1>{shell.title}</h1>
        {subtitle && <p>{subtitle}</p>}
      </div>
      <Empty title={t`Coming soon`}>{children}</Empty>
    </AppShell>
  );
}
