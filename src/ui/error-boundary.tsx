'use client';

import { Component, type ReactNode } from 'react';

type ErrorBoundaryProps = {
  /** In the reader's language; passed in, because nothing can be loaded once the page is broken. */
  texts: { title: string; message: string; retry: string };
  children: ReactNode;
};

/** What people see when a page breaks in the browser: an explanation and a way on. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  /** React reports the error to the console only. */
  override componentDidCatch(error: unknown) {
    window.dispatchEvent(new ErrorEvent('caught', { error }));
  }

  override render() {
    const { texts, children } = this.props;
    if (!this.state.hasFailed) {
      return children;
    }
    return (
      <main className="mx-auto grid min-h-dvh max-w-md content-center gap-4 p-6">
        <h1>{texts.title}</h1>
        <p>{texts.message}</p>
        <p>
          <button type="button" className="button" onClick={() => window.location.reload()}>
            {texts.retry}
          </button>
        </p>
      </main>
    );
  }
}
