import { document } from 'generated:react';
import { renderToReadableStream } from 'react-dom/server.edge';
import { type Env, readRows, refuse } from './database.ts';

/** The home page with React only: no Server Components, no router, no payload for a browser. */
export default {
  async fetch(request: Request, env: Env) {
    const rows = await readRows(request, env);
    return rows === null
      ? refuse()
      : new Response(await renderToReadableStream(document(rows)), {
          headers: { 'Content-Type': 'text/html; charset=utf-8' },
        });
  },
};
