const works: Promise<unknown>[] = [];

/** Keeps work that continues after an answer, so that tests can wait for it. */
export function keepWork(work: Promise<unknown>): void {
  works.push(work);
}

/** Waits for what requests have left to do after their answers, such as sending their emails. */
export async function settled(): Promise<void> {
  while (works.length > 0) {
    await Promise.allSettled(works.splice(0));
  }
}
