import type { I18n } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { pictureSizes } from '#features/files/picture-path.ts';
import { cutAfterWord, visibleText } from '#lib/text.ts';
import { dayRange } from '#lib/time/words.ts';
import { serverPaths } from '#paths.ts';
import type { PublicCohort, PublicCourse, PublicRun } from './find-public-pages.ts';

type ShareTagsProps = { appOrigin: string } & (
  | { cohort: PublicCohort; run: null; course: null }
  | { cohort: null; run: PublicRun; course: null }
  | { cohort: null; run: null; course: PublicCourse }
);

/** About as much as other sites show of a description. */
const descriptionLength = 160;

/** What other sites and chats show of a link to a public page, which they read without scripts. */
export function ShareTags({ appOrigin, cohort, run, course }: ShareTagsProps) {
  const { i18n, t } = useLingui();
  const taken = cohort ?? run;
  const shown = cohort ?? run ?? { courseName: course.name, courseHue: course.hue, ...course };
  const { slug, instructor, courseName, about } = shown;
  const teacher = `${instructor.firstName} ${instructor.lastName}`;
  const subject = cohort === null ? courseName : `${courseName}: ${cohort.name}`;
  const other = taken?.secondTeacher;
  const title = other
    ? t`${subject} · with ${teacher} and ${other}`
    : t`${subject} · with ${teacher}`;
  const days = cohort && dayRange(cohort.startsOn, cohort.endsOn, i18n.locale);
  const short = run ? t`Start today, at your own pace` : (days ?? t`Live courses with ${teacher}`);
  const text = taken?.description ?? about ?? short;
  const description = shortened(visibleText(text));
  const image = imageOf(shown, i18n);
  const url = serverPaths.publicCohort(appOrigin, slug);
  return (
    <>
      <link rel="canonical" href={url} />
      <meta name="description" content={description} />
      <meta property="og:type" content="website" />
      <meta property="og:site_name" content="Lectern" />
      <meta property="og:title" content={title} />
      <meta property="og:description" content={description} />
      <meta property="og:url" content={url} />
      <meta property="og:image" content={appOrigin + image.path} />
      <meta property="og:image:width" content={String(image.width)} />
      <meta property="og:image:height" content={String(image.height)} />
      <meta property="og:image:alt" content={image.alt} />
      <meta name="twitter:card" content="summary_large_image" />
    </>
  );
}

type Shown = Pick<PublicCohort, 'courseName' | 'courseHue' | 'picture'>;

/** The picture of a course, or a drawing in the color of its cover. */
function imageOf({ courseName, courseHue, picture }: Shown, i18n: I18n) {
  return picture === null
    ? {
        path: `/share/${courseHue}.png`,
        width: 1_200,
        height: 630,
        alt: i18n._(msg`A closed booklet with the mark of Lectern`),
      }
    : {
        path: picture,
        ...pictureSizes.cover,
        alt: i18n._(msg`The picture of the course ${courseName}`),
      };
}

/** The beginning of a text, cut after a word. */
function shortened(text: string): string {
  return text.length <= descriptionLength ? text : cutAfterWord(text, descriptionLength);
}
