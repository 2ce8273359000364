/** The only place where an address of ours is spelled. Pages have no trailing slash, the API always has one. */
export const paths = {
  home: '/',
  login: '/login',
  signup: '/signup',
  firstCourse: '/onboarding/course',
  confirm: '/confirm',
  /** What a mail links to. */
  confirmLink: (appOrigin: string, token: string) => `${appOrigin}/confirm?token=${token}`,
} as const;

/** The API as seen from a browser. */
export const apiPaths = {
  signUp: '/api/accounts/auth/signup/',
  login: '/api/accounts/auth/login/',
  confirm: '/api/accounts/auth/confirm/',
  logout: '/api/accounts/auth/logout/',
  courses: '/api/courses/',
} as const;
