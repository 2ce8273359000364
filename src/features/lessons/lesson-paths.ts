import { paths } from '#paths.ts';

/** Of the instructor's pages and calls about lessons. */
export const lessonPaths = {
  list: paths.lessons,
  trash: '/lessons/trash',
  files: '/lessons/files',
  search: '/lessons/search',
  import: '/lessons/import',
  lesson: (id: string) => `/lessons/${id}` as const,
  versions: (id: string) => `/lessons/${id}/versions` as const,
  /** As learners see it; `?drafts=1` also what is not published. */
  preview: '/lessons/preview',
  lessonPreview: (id: string) => `/lessons/preview/${id}` as const,
} as const;

export const lessonApi = {
  sections: (courseId: string) => `/api/courses/${courseId}/sections/` as const,
  lessonsOfCourse: (courseId: string) => `/api/courses/${courseId}/lessons/` as const,
  section: (id: string) => `/api/sections/${id}/` as const,
  opening: (cohortId: string, id: string) => `/api/cohorts/${cohortId}/sections/${id}/` as const,
  moveSection: (id: string) => `/api/sections/${id}/move/` as const,
  lessonsOfSection: (id: string) => `/api/sections/${id}/lessons/` as const,
  lesson: (id: string) => `/api/lessons/${id}/` as const,
  draft: (id: string) => `/api/lessons/${id}/draft/` as const,
  publish: (id: string) => `/api/lessons/${id}/publish/` as const,
  unpublish: (id: string) => `/api/lessons/${id}/unpublish/` as const,
  restore: (id: string) => `/api/lessons/${id}/restore/` as const,
  duplicate: (id: string) => `/api/lessons/${id}/duplicate/` as const,
  move: (id: string) => `/api/lessons/${id}/move/` as const,
  restoreVersion: (id: string, version: number) =>
    `/api/lessons/${id}/versions/${version}/restore/` as const,
} as const;
