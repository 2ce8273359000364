import { type ComponentType, lazy, Suspense } from 'react';

/** How long a script that could not be loaded is left alone. */
const pauseMs = 2000;

/**
 * Makes an island whose script comes after those of its page, for what few use right away. Until
 * then it is as the server rendered it, and React keeps a form that is submitted in it.
 *
 * @param load may fail, for example offline; it is called again until it succeeds
 */
export function later<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  let Island: ComponentType<Props> = lazy(async () => ({ default: await loadAtLast(load) }));
  if (import.meta.env.SSR) {
    // Before the first page, which would otherwise send it after the rest, for a script to move.
    void load().then((loaded) => {
      Island = loaded;
    });
  }

  return (props) => (
    <Suspense>
      <Island {...props} />
    </Suspense>
  );
}

/** Loads a script, and tries again until it is there. */
export async function loadAtLast<Script>(load: () => Promise<Script>): Promise<Script> {
  let loaded = await load().catch(() => null);
  while (loaded === null) {
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    loaded = await load().catch(() => null);
  }
  return loaded;
}
