import { Trans } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { paths } from '#paths.ts';

/** Above a public page that only its owner sees, with the way back. */
export function PreviewNotice({ children }: { children: ReactNode }) {
  return (
    <aside className="notice actions mt-4 items-start justify-between">
      {/* In the middle of its line also before the button is there. */}
      <p className="py-2">
        <Trans>This is a preview. Only you can see it.</Trans>
      </p>
      {children}
    </aside>
  );
}

/** The same of an open run, before enrollment is opened or later. */
export function RunPreviewNotice() {
  return (
    <PreviewNotice>
      <a className="button button-small" href={paths.cohorts}>
        <Trans>Back to Enrollment</Trans>
      </a>
    </PreviewNotice>
  );
}
