export const lessonMenuId = 'lesson-menu';
export const sectionMenuId = 'section-menu';
export const newLessonId = 'new-lesson';
export const newSectionId = 'new-section';
export const renameId = 'rename-part';
export const minutesId = 'lesson-minutes';
export const moveToId = 'move-lesson';
