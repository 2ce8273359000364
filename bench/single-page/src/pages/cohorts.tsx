import { useTranslation } from 'react-i18next';
import { Coming } from '../coming.tsx';
import { useSelectedCourse } from '../hooks.ts';

export function CohortsPage() {
  const { t } = useTranslation();
  const course = useSelectedCourse();
  return (
    <Coming
      title={t('cohorts')}
      subtitle={course.name}
      texts={[t('cohortsPage.about'), t(`cohortsPage.${course.course_type}`)]}
    />
  );
}
