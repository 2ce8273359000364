/** The ids of the sections of the settings, which links lead to. */
export const sectionIds = {
  course: 'course',
  picture: 'picture',
  profile: 'profile',
  email: 'email',
  news: 'news',
  gettingPaid: 'getting-paid',
  language: 'language',
  appearance: 'appearance',
  sessions: 'sessions',
  data: 'data',
  duplicateCourse: 'duplicate-this-course',
  deleteCourse: 'delete-this-course',
  deleteAccount: 'delete-your-account',
} as const;
