import { useLingui } from '@lingui/react/macro';
import { ShowFailures } from '#client/show-failures.tsx';
import { Conveniences } from '#features/frames/conveniences.tsx';
import type { Viewer } from '#features/identity/find-actor.ts';
import { failureTexts } from '#i18n/failures.ts';
import { Behavior } from '#ui/behavior.tsx';
import { Toasts } from '#ui/toast.tsx';
import { OtherTabs } from './other-tabs.tsx';

/** What every signed-in page has beside its content, and what no one sees. */
export function PageTools({ viewer }: { viewer: Pick<Viewer, 'id'> }) {
  const { i18n, t } = useLingui();
  return (
    <>
      <ShowFailures texts={failureTexts(i18n)} viewerId={viewer.id} />
      <Toasts close={t`Close`} />
      <OtherTabs viewerId={viewer.id} />
      <Behavior />
      <Conveniences />
    </>
  );
}
