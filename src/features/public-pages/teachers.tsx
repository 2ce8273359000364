import { Trans, useLingui } from '@lingui/react/macro';
import { LinkedText } from '#ui/linked-text.tsx';
import type { PublicCohort, PublicRun } from './find-public-pages.ts';

type Instructor = PublicCohort['instructor'];

/** Someone who teaches beside the instructor: a name and a line, without an account. */
type Second = { name: string; line: string | null; hue: string };

type TeachersProps = { instructor: Instructor; second?: Second | null };

/** Who teaches, below the title. */
export function WithTeachers({ instructor, second = null }: TeachersProps) {
  const { firstName, lastName } = instructor;
  const strong = <strong>{`${firstName} ${lastName}`}</strong>;
  const other = <strong dir="auto">{second?.name}</strong>;
  return (
    <p className="mt-4 flex items-center gap-3">
      <span className="flex [&>*+*]:-ms-1 [&>*+*]:shadow-[0_0_0_2px_var(--color-paper)]">
        <Disc names={[firstName, lastName]} hue={instructor.hue} picture={instructor.avatarUrl} />
        {second !== null && <Disc names={second.name.split(/\s+/)} hue={second.hue} />}
      </span>
      <span>
        {second === null ? (
          <Trans>with {strong}</Trans>
        ) : (
          <Trans>
            with {strong} and {other}
          </Trans>
        )}
      </span>
    </p>
  );
}

type WhoTeachesProps = TeachersProps & {
  /** Of an open run: as the only one, they are *your instructor*. */
  isRun?: boolean;
};

const row = 'grid grid-cols-[auto_minmax(0,1fr)] gap-5 border-line border-t py-5 wrap-anywhere';

/** What there is to say of who teaches; nothing if that is only a name. */
export function WhoTeaches({ instructor, second = null, isRun = false }: WhoTeachesProps) {
  const { t } = useLingui();
  const { firstName, lastName } = instructor;
  const strong = <strong>{`${firstName} ${lastName}`}</strong>;
  const other = <strong dir="auto">{second?.name}</strong>;
  if (instructor.bio === null && second === null) {
    return null;
  }
  const isAlone = isRun && second === null;
  return (
    <section aria-labelledby="teachers" className="max-w-138">
      <h2 id="teachers">{isAlone ? t`Your instructor` : t`Who teaches`}</h2>
      <ul className="mt-2 border-line border-b">
        <li className={row}>
          <Disc
            names={[firstName, lastName]}
            hue={instructor.hue}
            picture={instructor.avatarUrl}
            isLarge
          />
          <div>
            <p>{isAlone ? strong : <Trans>{strong} · teaches this course</Trans>}</p>
            {instructor.bio !== null && (
              <p className="text-muted whitespace-pre-line" dir="auto">
                <LinkedText text={instructor.bio} />
              </p>
            )}
          </div>
        </li>
        {second !== null && (
          <li className={row}>
            <Disc names={second.name.split(/\s+/)} hue={second.hue} isLarge />
            <div>
              <p>
                <Trans>{other} · second teacher</Trans>
              </p>
              {second.line !== null && (
                <p className="text-muted" dir="auto">
                  <LinkedText text={second.line} />
                </p>
              )}
            </div>
          </li>
        )}
      </ul>
    </section>
  );
}

/** The second teacher of a cohort or an open run; null without one. */
export function secondOf(cohort: PublicCohort | PublicRun): Second | null {
  const { secondTeacher: name, secondTeacherLine: line, secondHue: hue } = cohort;
  return name === null ? null : { name, line, hue };
}

type DiscProps = { names: string[]; hue: string; picture?: string | null; isLarge?: boolean };

/** The initials of someone's first and last name, below a picture if there is one. */
function Disc({ names, hue, picture = null, isLarge = false }: DiscProps) {
  const ends = names.length > 1 ? [names[0], names.at(-1)] : names;
  return (
    <span
      className={isLarge ? 'avatar size-16 text-[1.25rem]' : 'avatar'}
      data-hue={hue}
      aria-hidden="true"
    >
      {ends.map((word = '') => [...word][0]).join('')}
      {picture !== null && <img src={picture} alt="" referrerPolicy="no-referrer" />}
    </span>
  );
}
