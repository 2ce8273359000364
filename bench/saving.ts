import { askOnce } from './client.ts';
import { median } from './figures.ts';
import { withLectern, write } from './lectern.ts';
import { cpuMilliseconds, requireProcessAccounting } from './workerd.ts';

const rounds = 7;
const saves = 20;
const characters = 50_000;

/**
 * Saves a lesson of 50 kB, each time with another text, as the editor does. Prints the CPU of one
 * save, with the database, which is in the same process here and another one at Cloudflare.
 */
export async function benchSaving(): Promise<void> {
  requireProcessAccounting();
  const limits = { lesson_saves_per_user: [], lessons_per_user: [] };
  await withLectern({ limits }, async ({ workerd, address, person }) => {
    const path = `/api/courses/${person.courseIds[0]}/lessons/`;
    const made = await askOnce(address, write(person, 'POST', path, { title: 'A lesson' }));
    const { id, draft_version: first } = JSON.parse(made.body) as {
      id: string;
      draft_version: number;
    };
    let version = first;
    const times: number[] = [];
    for (let round = 0; round <= rounds; round += 1) {
      const before = cpuMilliseconds(workerd.pid);
      for (let save = 0; save < saves; save += 1) {
        const input = { title: 'A lesson', document: documentOf(version), based_on: version };
        const answer = await askOnce(
          address,
          write(person, 'PUT', `/api/lessons/${id}/draft/`, input),
        );
        if (answer.status !== 200) {
          throw new Error(`A save answered ${answer.status}: ${answer.body}`);
        }
        version += 1;
      }
      times.push((cpuMilliseconds(workerd.pid) - before) / saves);
    }
    // The first round is a warm-up.
    console.log(
      `\nA save of ${characters / 1000} kB takes ${median(times.slice(1)).toFixed(1)} ms of CPU, with the database.`,
    );
  });
}

/** Paragraphs with some bold words. */
function documentOf(version: number) {
  const words = `${version} She wrote it down, and read it aloud.`;
  const paragraph = {
    type: 'paragraph',
    content: [
      { type: 'text', text: words.repeat(8) },
      { type: 'text', text: ' Aloud ', marks: [{ type: 'bold' }] },
    ],
  };
  const count = Math.floor(characters / JSON.stringify(paragraph).length);
  return { type: 'doc', content: Array.from({ length: count }, () => paragraph) };
}
