import type { ReactNode } from 'react';
import { Wordmark } from './wordmark.tsx';

type SignInLayoutProps = {
  /** At the top right: the language switcher. */
  corner?: ReactNode;
  /** What the product promises, beside the form on a desk; pages without it have one column. */
  promise?: { title: string; points: string[] };
  children: ReactNode;
};

/** The frame of the pages on the way in: two columns on a desk, one on a phone. */
export function SignInLayout({ corner, promise, children }: SignInLayoutProps) {
  return (
    <div className={promise ? 'lg:grid lg:grid-cols-[2fr_3fr]' : undefined}>
      {promise && (
        <aside className="hidden border-r border-line bg-wash p-12 lg:flex lg:flex-col lg:justify-center">
          <div className="max-w-md">
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
      <div className="flex min-h-dvh flex-col px-4 sm:px-8">
        <header className="flex flex-wrap items-center justify-between gap-x-4 py-4">
          <Wordmark />
          {corner}
        </header>
        <main className="mx-auto my-auto w-full max-w-md py-8">{children}</main>
      </div>
    </div>
  );
}
