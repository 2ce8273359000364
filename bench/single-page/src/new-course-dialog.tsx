import { useTranslation } from 'react-i18next';
import { CourseFields, Form, Submit } from './form.tsx';
import { useCreateCourse } from './hooks.ts';
import { Modal } from './modal.tsx';

type NewCourseDialogProps = { isOpen: boolean; onOpenChange: (isOpen: boolean) => void };

/** Creates another course, from any page. */
export function NewCourseDialog({ isOpen, onOpenChange }: NewCourseDialogProps) {
  const { t } = useTranslation();
  const create = useCreateCourse();
  return (
    <Modal isOpen={isOpen} onOpenChange={onOpenChange} title={t('course.create')}>
      <p className="text-muted">{t('course.createAbout')}</p>
      <Form
        schema={() => import('./schemas.ts').then(({ courseSchema }) => courseSchema)}
        submit={async (input) => {
          await create.mutateAsync(input);
          onOpenChange(false);
        }}
      >
        <CourseFields id="new-course" />
        <div className="actions">
          <Submit label={t('course.createDo')} pending={t('course.creating')} />
        </div>
      </Form>
    </Modal>
  );
}
