import { Trans, useLingui } from '@lingui/react/macro';
import type { ComponentProps, ReactNode } from 'react';
import { AppShell } from '#features/shell/app-shell.tsx';
import { lessonPaths } from './lesson-paths.ts';

type LessonsSubPageProps = Pick<
  ComponentProps<typeof AppShell>,
  'request' | 'title' | 'children'
> & {
  /** Which lessons or files it shows, under its title. */
  about?: ReactNode;
};

/** A page beside the lessons. Its button leads back to them, as on phones nothing else does. */
export function LessonsSubPage({ request, title, about, children }: LessonsSubPageProps) {
  const { t } = useLingui();
  return (
    <AppShell
      request={request}
      current={lessonPaths.list}
      title={title}
      trail={[{ to: lessonPaths.list, label: t`Lessons` }]}
    >
      <div className="page-head page-head-actions">
        <div>
          <h1>{title}</h1>
          {about && <p>{about}</p>}
        </div>
        <a className="button button-quiet" href={lessonPaths.list}>
          <span className="icon icon-back" />
          <Trans>All lessons</Trans>
        </a>
      </div>
      {children}
    </AppShell>
  );
}
