import { Trans } from '@lingui/react/macro';
import { Children, type ReactNode } from 'react';
import type { ReportsProps } from '#features/error-reports/reports.tsx';
import { paths } from '#paths.ts';
import { SignInLayout } from './sign-in-layout.tsx';

type TextPageProps = ReportsProps & {
  title: string;
  description: string;
  intro: ReactNode;
  next: { href: string; label: string };
  children: ReactNode;
};

/** A page of running text, such as the terms. */
export function TextPage({ request, title, description, intro, next, children }: TextPageProps) {
  return (
    <SignInLayout request={request} isText>
      <title>{`${title} · Lectern`}</title>
      <meta name="description" content={description} />
      <div className="grid gap-6">
        <h1>{title}</h1>
        <p className="-mt-4 text-muted">{intro}</p>
        {children}
        <p className="mt-4 flex flex-wrap gap-x-6 gap-y-2">
          <a href={next.href} className="link">
            {next.label}
          </a>
          <a href={paths.home} className="link">
            <Trans>Go to home</Trans>
          </a>
        </p>
      </div>
    </SignInLayout>
  );
}

export function TextSection({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="mt-2 grid gap-3">
      <h2>{title}</h2>
      {children}
    </section>
  );
}

export function TextList({ children }: { children: ReactNode }) {
  return (
    <ul className="grid list-disc gap-2 pl-5">
      {Children.map(Children.toArray(children), (text) => (
        <li>{text}</li>
      ))}
    </ul>
  );
}
