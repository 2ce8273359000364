import { useLingui } from '@lingui/react/macro';
import { PictureForm } from '#features/files/picture-form.tsx';
import { pictureSizes } from '#features/files/picture-path.ts';
import { pictureTexts } from '#features/files/picture-texts.ts';
import { sectionIds } from '#features/settings/section-ids.ts';
import { SettingsSection } from '#ui/settings-section.tsx';
import type { Course } from './schema.ts';

type CoursePictureProps = {
  course: Course;
  /** Why none can be chosen; null if one can. */
  disabledReason: string | null;
};

/** The picture of a course, to choose another or none. */
export function CoursePicture({ course, disabledReason }: CoursePictureProps) {
  const { i18n, t } = useLingui();
  const { id, name, hue, picture, course_type: type } = course;
  return (
    <SettingsSection
      id={sectionIds.picture}
      title={t`Picture`}
      description={
        type === 'evergreen'
          ? t`Shown on the public page of the course, and by sites and chats where someone shares a link to it.`
          : t`Shown on the public pages of the course and its cohorts, and by sites and chats where someone shares a link to them.`
      }
    >
      <PictureForm
        // A new form for another course.
        key={id}
        path={`/api/courses/${id}/picture/`}
        shape="cover"
        hasPicture={picture !== null}
        disabledReason={disabledReason}
        texts={{
          ...pictureTexts(i18n),
          choose: t`Choose a picture`,
          cut: t`The shaded parts will be cut off.`,
          use: t`Use this picture`,
          saved: t`Picture saved.`,
          remove: t`Remove picture`,
          removed: t`Picture removed.`,
        }}
      >
        {picture === null ? (
          <p className="course-picture cover" data-hue={hue} aria-hidden="true">
            {name}
          </p>
        ) : (
          <img
            src={picture}
            alt={name}
            className="course-picture"
            width={pictureSizes.cover.width}
            height={pictureSizes.cover.height}
          />
        )}
      </PictureForm>
    </SettingsSection>
  );
}
