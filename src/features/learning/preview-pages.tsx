import { Trans, useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import type { ViewerContext } from '#features/identity/find-actor.ts';
import { lessonPaths } from '#features/lessons/lesson-paths.ts';
import { LearnerFrame, type PreviewParts } from './learner-frame.tsx';
import type { Outline, Ways } from './outline.ts';

/** Whether a preview has what is not published, by its query. */
export function hasDraftsIn(query: string): boolean {
  return new URLSearchParams(query).get('drafts') === '1';
}

/** An outline as someone would see it who has just been enrolled by the viewer. */
export function previewedBy(
  { viewer }: ViewerContext,
  preview: Pick<Outline, 'course' | 'sections'>,
): Outline {
  const all = preview.sections.flatMap(({ lessons }) => lessons);
  return {
    ...preview,
    cohort: null,
    person: null,
    instructor: { name: `${viewer.firstName} ${viewer.lastName}`, email: viewer.email },
    done: 0,
    of: all.length,
    continue_with: all[0]?.id ?? null,
    completed_at: null,
    access_ends_at: null,
  };
}

/** The links of a preview stay in it. */
export function previewWays(hasDrafts: boolean): Ways {
  const query = hasDrafts ? '?drafts=1' : '';
  return {
    course: `${lessonPaths.preview}${query}`,
    lesson: (id) => `${lessonPaths.lessonPreview(id)}${query}`,
    all: null,
  };
}

type PreviewBarProps = {
  hasDrafts: boolean;
  /** Without its query. */
  path: string;
  /** Where it leads back to. */
  back: { href: string; label: ReactNode };
};

/** Says above a preview what it is. */
export function PreviewBar({ hasDrafts, path, back }: PreviewBarProps) {
  return (
    <aside className="notice preview-bar">
      <p>
        <Trans>Preview: this is what participants see. Nothing you do here is kept.</Trans>
      </p>
      <div className="actions">
        <div className="segments">
          <a href={path} aria-current={hasDrafts ? undefined : 'true'}>
            <Trans>Published only</Trans>
          </a>
          <a href={`${path}?drafts=1`} aria-current={hasDrafts ? 'true' : undefined}>
            <Trans>With drafts</Trans>
          </a>
        </div>
        <a className="button button-small" href={back.href}>
          {back.label}
        </a>
      </div>
    </aside>
  );
}

/** In the place of a lesson that participants don’t see. */
export function HiddenLesson({ preview, ways }: { preview: PreviewParts; ways: Ways }) {
  const { t } = useLingui();
  const title = t`Participants don’t see this lesson yet`;
  return (
    <LearnerFrame title={title} person={null} preview={preview}>
      <main id="main" className="public-column">
        <h1>{title}</h1>
        <p className="frame-lead">
          <Trans>It isn’t published. Turn on “With drafts” to read it here.</Trans>
        </p>
        <a className="link" href={ways.course}>
          <Trans>See the course</Trans>
        </a>
      </main>
    </LearnerFrame>
  );
}
