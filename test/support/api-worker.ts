import { api } from '#api/app.ts';

/** The pool needs a worker, and cannot load Waku's own. */
export default api;
