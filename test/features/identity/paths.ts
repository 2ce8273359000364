export const loginPath = '/api/accounts/auth/login/';
export const signUpPath = '/api/accounts/auth/signup/';
export const confirmPath = '/api/accounts/auth/confirm/';
export const userPath = '/api/accounts/auth/user/';
