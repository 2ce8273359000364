import { useTranslation } from 'react-i18next';
import { Coming } from '../coming.tsx';
import { useSelectedCourse } from '../hooks.ts';

export function PaymentsPage() {
  const { t } = useTranslation();
  const course = useSelectedCourse();
  return (
    <Coming
      title={t('payments')}
      subtitle={course.name}
      texts={[t('paymentsPage.about'), t(`paymentsPage.${course.course_type}`)]}
    />
  );
}
