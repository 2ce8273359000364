import type { ReactNode } from 'react';

type ComingPageProps = {
  icon: string;
  title: string;
  subtitle?: string;
  comingSoon: string;
  children: ReactNode;
};

/** A place that is not built yet, and says so: what will be here, and nothing to press. */
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
