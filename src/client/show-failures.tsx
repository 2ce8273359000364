'use client';

import { useEffect, useState } from 'react';
import type { FailureTexts } from '#i18n/failures.ts';
import { showToast } from '#ui/toast.tsx';
import type { FailureDialog } from './failure-dialog.tsx';
import { type FailureReport, failureKind, onFailureReport } from './failures.ts';

type ShowFailuresProps = {
  texts: FailureTexts;
  /** The signed-in user; null if signed out. */
  viewerId: string | null;
};

/**
 * Opens the error dialog for failed requests; once per page. The dialog is loaded when the page is
 * ready, so that it is there without a connection. If it is not, its text is shown in a toast.
 */
export function ShowFailures({ texts, viewerId }: ShowFailuresProps) {
  const [Dialog, setDialog] = useState<typeof FailureDialog | null>(null);
  const [report, setReport] = useState<FailureReport | null>(null);

  useEffect(() => {
    async function load(): Promise<boolean> {
      const script = await import('./failure-dialog.tsx').catch(() => null);
      setDialog(() => script?.FailureDialog ?? null);
      return script !== null;
    }

    let loading = load();

    async function open(reported: FailureReport): Promise<void> {
      setReport(reported);
      if (!(await loading)) {
        loading = load();
        if (!(await loading)) {
          showToast(texts.kinds[failureKind(reported.failure)][1], 'failed');
        }
      }
    }

    return onFailureReport((reported) => {
      void open(reported);
      return true;
    });
  }, [texts]);

  return Dialog && report && <Dialog texts={texts} report={report} viewerId={viewerId} />;
}
