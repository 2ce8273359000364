import { loadOrLeave } from './check-by-schema.ts';
import type { AskToLeave } from './leave-guard.ts';
import { type ChangeOwner, hasChanges } from './unsaved.ts';

/** Loaded once per document. */
const guard: { loading?: Promise<AskToLeave | null> } = {};

/**
 * From now on, asks before changes are lost by leaving the page.
 *
 * @returns what asks about other ways to lose them; null if it cannot be loaded now
 */
export function guardChanges(): Promise<AskToLeave | null> {
  guard.loading ??= loadOrLeave(() => import('./leave-guard.ts')).then((loaded) => {
    if (loaded === null) {
      delete guard.loading;
    }
    return loaded?.guardPage() ?? null;
  });
  return guard.loading;
}

/**
 * Has the browser ask about what the guard cannot: reloads, other documents, and all links of
 * browsers without the Navigation API. Only with changes, because it may keep browsers from keeping
 * the page for Back.
 */
export function guardUnload(): void {
  window.addEventListener('beforeunload', stayWithChanges);
}

function stayWithChanges(event: BeforeUnloadEvent): void {
  if (hasChanges()) {
    event.preventDefault();
  }
}

/** Asks the user before changes are lost; without any, resolves to true immediately. */
export async function mayLoseChanges(owner: ChangeOwner | null = null): Promise<boolean> {
  if (!hasChanges(owner)) {
    return true;
  }
  const ask = await guardChanges();
  return ask === null || ask(owner);
}
