/** Of the pages and calls of learners. */
export const learningPaths = {
  courses: '/learn',
  course: (courseId: string) => `/learn/${courseId}` as const,
  lesson: (courseId: string, lessonId: string) => `/learn/${courseId}/${lessonId}` as const,
  /** Everything on one page, to print. */
  all: (courseId: string) => `/learn/${courseId}/all` as const,
  search: (courseId: string) => `/learn/${courseId}/search` as const,
  /** Of someone who has completed the course, to print. */
  certificate: (courseId: string) => `/learn/${courseId}/attestation` as const,
} as const;

export const learningApi = {
  /** Makes this browser remember the person of a link. */
  open: '/api/participation/open/',
  links: '/api/learning/links/',
  codes: '/api/learning/codes/',
  device: '/api/learning/device/',
  lesson: (courseId: string, lessonId: string) =>
    `/api/learning/${courseId}/lessons/${lessonId}/` as const,
} as const;
