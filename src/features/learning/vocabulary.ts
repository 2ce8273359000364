import { eq } from 'drizzle-orm';
import { exportedRows } from '#db/personal-data.ts';
import { learning, lessonMarks } from '#db/schema/learning.ts';
import { ExportedLearning, ExportedLessonMark } from './schema.ts';

export const exported = {
  learning: exportedRows({
    rows: (db, { id }) => db.select().from(learning).where(eq(learning.ownerId, id)),
    schema: ExportedLearning,
  }),
  lesson_marks: exportedRows({
    rows: (db, { id }) => db.select().from(lessonMarks).where(eq(lessonMarks.ownerId, id)),
    schema: ExportedLessonMark,
  }),
};
