import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { runScript } from '../../scripts/local/plain-failure.ts';
import { buildFolder, quietEnv } from '../../scripts/local/settings.ts';
import { startApp } from '../../scripts/local/start-app.ts';
import type { Row } from './rows.ts';

Object.assign(process.env, quietEnv);

/** `npm start --skip-build`, which also writes the rows that rows.ts sends to ROWS_PORT. */
await runScript(async () => {
  const miniflare = await startApp(buildFolder);
  const database = await miniflare.getD1Database('DB', 'lectern');
  const server = createServer(async (request, response) => {
    try {
      const rows = (await json(request)) as Row[];
      // D1 counts what triggers write, too.
      const written = await database.batch(
        rows.map(([statement, ...values]) =>
          database.prepare(`${statement} RETURNING 1`).bind(...values),
        ),
      );
      response.end(JSON.stringify(written.map(({ results }) => results.length)));
    } catch (error) {
      response.writeHead(500).end(String(error));
    }
  });
  server.listen(Number(process.env['ROWS_PORT']), '127.0.0.1');
});
