import { api } from '#api/app.ts';

/** The pool wants a worker; Waku's own cannot be loaded by it. */
export default api;
