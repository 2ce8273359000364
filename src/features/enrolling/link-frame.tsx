import { useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { PublicFrame } from '#features/frames/public-frame.tsx';
import { HideToken } from '#features/sign-in/confirm-button.tsx';

type LinkFrameProps = { title: string; token: string; children: ReactNode };

/** The frame of a page that a token opens, which the address bar then no longer has. */
export function LinkFrame({ title, token, children }: LinkFrameProps) {
  return (
    <PublicFrame title={title} query={`token=${token}&`}>
      <HideToken />
      <main className="public-column">{children}</main>
    </PublicFrame>
  );
}

/** In the place of a page whose link has ended, or that never was one, with the way on. */
export function DeadLink({ text, children }: { text: ReactNode; children?: ReactNode }) {
  const { t } = useLingui();
  const title = t`This link doesn’t work`;
  return (
    <PublicFrame title={title}>
      <main className="public-column">
        <h1>{title}</h1>
        <p className="frame-lead">{text}</p>
        {children}
      </main>
    </PublicFrame>
  );
}
