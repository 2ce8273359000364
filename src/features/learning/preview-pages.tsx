import { Trans, useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import type { ViewerContext } from '#features/identity/find-actor.ts';
import { lessonPaths } from '#features/lessons/lesson-paths.ts';
import { isDay } from '#lib/time/calendar.ts';
import type { Preview, PreviewChoice } from './find-preview.ts';
import { LearnerFrame, type PreviewParts } from './learner-frame.tsx';
import { type Outline, openLessonsOf, type Ways } from './outline.ts';

/** As whom and when a page previews, by its query. Anything else is as if it were not there. */
export function previewChoice(query: string): PreviewChoice {
  const parameters = new URLSearchParams(query);
  const day = parameters.get('day') ?? '';
  const on = parameters.get('on') ?? '';
  return {
    hasDrafts: parameters.get('drafts') === '1',
    day: /^\d{1,3}$/.test(day) && Number(day) <= lastDay ? Number(day) : null,
    cohort: parameters.get('cohort') || null,
    on: isDay(on) ? on : null,
  };
}

/** As late as a section can open. */
const lastDay = 730;

/** An outline as someone would see it who has just been enrolled by the viewer. */
export function previewedBy({ viewer }: ViewerContext, preview: Preview): Outline {
  const { course, cohort, sections } = preview;
  return {
    course,
    cohort,
    sections,
    person: null,
    instructor: { name: `${viewer.firstName} ${viewer.lastName}`, email: viewer.email },
    done: 0,
    of: sections.flatMap(({ lessons }) => lessons).length,
    continue_with: openLessonsOf(sections)[0]?.id ?? null,
    completed_at: null,
    access_ends_at: null,
  };
}

/**
 * The links of a preview stay in it.
 *
 * @param keys what links call the lessons that they do not call by their ids
 */
export function previewWays(
  choice: PreviewChoice,
  keys: readonly { id: string; key: string }[] = [],
): Ways {
  const query = queryOf(choice);
  const lesson = (id: string) => `${lessonPaths.lessonPreview(id)}${query}`;
  return {
    course: `${lessonPaths.preview}${query}`,
    lesson,
    linked: (key) => lesson(keys.find((one) => one.key === key)?.id ?? key),
    all: null,
    search: null,
    certificate: null,
  };
}

/** With its question mark; empty without any. */
function queryOf({ hasDrafts, day, cohort, on }: PreviewChoice): string {
  const given = Object.entries({ drafts: hasDrafts ? '1' : null, day, cohort, on });
  const set = given.flatMap(([name, value]) => (value === null ? [] : [[name, String(value)]]));
  return set.length === 0 ? '' : `?${new URLSearchParams(set)}`;
}

type PreviewBarProps = {
  choice: PreviewChoice;
  preview: Pick<Preview, 'cohorts' | 'on'>;
  /** Without its query. */
  path: string;
  /** Where it leads back to. */
  back: { href: string; label: ReactNode };
};

/** Says above a preview what it is, and chooses as whom and when. */
export function PreviewBar({ choice, preview, path, back }: PreviewBarProps) {
  const { hasDrafts } = choice;
  return (
    <aside className="notice mt-4 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
      <p className="flex-[1_1_100%]">
        <Trans>Preview: this is what participants see. Nothing you do here is kept.</Trans>
      </p>
      <PreviewMoment choice={choice} preview={preview} path={path} />
      <div className="actions">
        <div className="segments">
          <a
            href={`${path}${queryOf({ ...choice, hasDrafts: false })}`}
            aria-current={hasDrafts ? undefined : 'true'}
          >
            <Trans>Published only</Trans>
          </a>
          <a
            href={`${path}${queryOf({ ...choice, hasDrafts: true })}`}
            aria-current={hasDrafts ? 'true' : undefined}
          >
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

/** As someone on a day after starting, or in a cohort on a date. */
function PreviewMoment({ choice, preview, path }: Omit<PreviewBarProps, 'back'>) {
  const { t } = useLingui();
  const { hasDrafts, day, cohort } = choice;
  const { cohorts, on } = preview;
  const isChosen = cohorts.length > 0 ? on !== null : day !== null;
  return (
    <form
      action={path}
      className="flex flex-wrap items-center gap-2 text-[0.9375rem]"
      key={queryOf(choice)}
    >
      {hasDrafts && <input type="hidden" name="drafts" value="1" />}
      {cohorts.length > 0 ? (
        <>
          <select
            name="cohort"
            className="input w-auto max-w-56"
            defaultValue={on === null ? '' : (cohort ?? '')}
            aria-label={t`Cohort`}
          >
            <option value="">{t`All lessons`}</option>
            {cohorts.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
          <input
            type="date"
            name="on"
            className="input w-auto max-w-56"
            defaultValue={on ?? undefined}
            aria-label={t`Date`}
          />
        </>
      ) : (
        <label className="flex items-center gap-2">
          <Trans>As someone on day</Trans>
          <input
            type="number"
            name="day"
            className="input w-22"
            min={0}
            max={lastDay}
            defaultValue={day ?? undefined}
          />
        </label>
      )}
      <button type="submit" className="button button-small">
        <Trans>Show</Trans>
      </button>
      {isChosen && (
        <a
          className="link"
          href={`${path}${queryOf({ ...choice, day: null, cohort: null, on: null })}`}
        >
          <Trans>All lessons</Trans>
        </a>
      )}
    </form>
  );
}

type HiddenLessonProps = {
  preview: PreviewParts;
  ways: Ways;
  /** Whether it is not published; otherwise it is not open then. */
  isDraft: boolean;
};

/** In the place of a lesson that participants don’t see. */
export function HiddenLesson({ preview, ways, isDraft }: HiddenLessonProps) {
  const { t } = useLingui();
  const title = t`Participants don’t see this lesson yet`;
  return (
    <LearnerFrame title={title} person={null} preview={preview} className="public-column">
      <h1>{title}</h1>
      <p className="frame-lead">
        {isDraft ? (
          <Trans>It isn’t published. Turn on “With drafts” to read it here.</Trans>
        ) : (
          <Trans>It isn’t open on the day you chose.</Trans>
        )}
      </p>
      <a className="link" href={ways.course}>
        <Trans>See the course</Trans>
      </a>
    </LearnerFrame>
  );
}
