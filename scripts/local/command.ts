import { spawn } from 'node:child_process';
import { stripVTControlCharacters } from 'node:util';
import { quietEnv } from './settings.ts';

/** How a command ended: its output, and the reason if it failed. */
type Result = { isDone: boolean; output: string; reason: string };

type Options = { env?: NodeJS.ProcessEnv; seconds?: number };

/** Runs a project command and captures its output. It fails after `seconds`. */
export function runCommand(
  command: string,
  args: string[],
  { env = {}, seconds = 600 }: Options = {},
): Promise<Result> {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      env: {
        ...process.env,
        ...quietEnv,
        NO_COLOR: '1',
        // The output is only shown after a failure, where all of it helps.
        WRANGLER_LOG: 'log',
        // Set here only, never inherited from the shell.
        BUILD_FOLDER: undefined,
        CLOUDFLARE_ENV: undefined,
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const chunks: Buffer[] = [];
    const pipes = [child.stdout, child.stderr];
    for (const pipe of pipes) {
      pipe.on('data', (chunk) => chunks.push(chunk));
    }
    const end = (isDone: boolean, why: string) => {
      clearTimeout(limit);
      const output = stripVTControlCharacters(Buffer.concat(chunks).toString());
      const reason = /error[\]:]*\s+(.+)/i.exec(output)?.[1] ?? why;
      resolve({ isDone, output, reason: reason.replace(/\.$/, '') });
    };
    const limit = setTimeout(() => {
      child.kill();
      // Child processes may keep these open.
      for (const pipe of pipes) {
        pipe.destroy();
      }
      end(false, `there was no answer within ${seconds} seconds`);
    }, seconds * 1000);
    child.once('error', ({ message }) => end(false, `${message} (is it installed? \`npm ci\`)`));
    child.once('close', (code) => end(code === 0, `exit code ${code}`));
  });
}
