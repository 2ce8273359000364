import type { ReactNode } from 'react';
import { Reports, type ReportsProps } from '#features/error-reports/reports.tsx';
import { Wordmark } from './wordmark.tsx';

type SignInLayoutProps = ReportsProps & {
  /** At the top right: the language switcher. */
  corner?: ReactNode;
  /** What the product offers: beside the form on desktop, below it on a phone. */
  promise?: { title: string; points: string[] };
  /** Wide enough for running text, instead of for a form. */
  isText?: boolean;
  children: ReactNode;
};

/** The frame of sign-in and public pages: two columns on desktop, one on a phone. */
export function SignInLayout(props: SignInLayoutProps) {
  const { request, viewer, corner, promise, isText, children } = props;
  return (
    <div className={promise ? 'lg:grid lg:grid-cols-[2fr_3fr]' : undefined}>
      <Reports request={request} viewer={viewer ?? null} />
      <div className="flex min-h-dvh flex-col px-4 sm:px-8">
        <header className="flex flex-wrap items-center justify-between gap-x-4 py-4">
          <Wordmark />
          {corner}
        </header>
        {/* Not centered: it would move while the page loads. */}
        <main className={`mx-auto w-full py-8 sm:pt-[8dvh] ${isText ? 'max-w-2xl' : 'max-w-md'}`}>
          {children}
        </main>
      </div>
      {promise && (
        <aside className="bg-wash px-[clamp(1rem,5vw,3rem)] py-12 lg:-order-1 lg:grid lg:content-center lg:border-r lg:border-line">
          <div className="mx-auto max-w-md">
            <p className="font-serif text-3xl font-semibold text-balance">{promise.title}</p>
            <ul className="mt-8 grid gap-4 text-muted">
              {promise.points.map((point) => (
                <li key={point} className="border-l-2 border-accent pl-4">
                  {point}
                </li>
              ))}
            </ul>
          </div>
        </aside>
      )}
    </div>
  );
}
