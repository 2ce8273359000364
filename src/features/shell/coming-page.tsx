import { useLingui } from '@lingui/react/macro';
import type { ComponentProps } from 'react';
import { AppShell } from './app-shell.tsx';

type ComingPageProps = ComponentProps<typeof AppShell> & { icon: string; subtitle?: string };

/** A page for a feature that is not built yet: says what it will do, and has no controls. */
export function ComingPage({ icon, subtitle, children, ...shell }: ComingPageProps) {
  const { t } = useLingui();
  return (
    <AppShell {...shell}>
      <div>
        <h1>{shell.title}</h1>
        {subtitle && <p className="mt-2 text-muted">{subtitle}</p>}
      </div>
      <section className="card grid justify-items-start gap-3 py-10 [&>p]:max-w-[38rem]">
        <span className="medallion m-0" aria-hidden="true">
          <span className={`icon ${icon}`} />
        </span>
        <p className="badge">{t`Coming soon`}</p>
        {children}
      </section>
    </AppShell>
  );
}
