import type { ReactNode } from 'react';

type ComingPageProps = {
  icon: string;
  title: string;
  subtitle?: string;
  comingSoon: string;
  children: ReactNode;
};

/** A page for a feature that is not built yet: says what it will do, and has no controls. */
export function ComingPage({ icon, title, subtitle, comingSoon, children }: ComingPageProps) {
  return (
    <>
      <div>
        <h1>{title}</h1>
        {subtitle && <p className="mt-2 text-muted">{subtitle}</p>}
      </div>
      <section className="card coming">
        <span className="medallion" aria-hidden="true">
          <span className={`icon ${icon}`} />
        </span>
        <p className="badge">{comingSoon}</p>
        {children}
      </section>
    </>
  );
}
