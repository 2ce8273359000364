import { document } from 'generated:html';
import { type Env, readRows, refuse } from './database.ts';

/** The home page as one template string. */
export default {
  async fetch(request: Request, env: Env) {
    const rows = await readRows(request, env);
    return rows === null
      ? refuse()
      : new Response(document(rows), { headers: { 'Content-Type': 'text/html; charset=utf-8' } });
  },
};
