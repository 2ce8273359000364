// React passes these on to the browser; its types do not have them yet.
declare module 'react' {
  // biome-ignore lint/style/useConsistentTypeDefinitions: only an interface adds to the one that is there -- drop it with @types/react that know them.
  interface ButtonHTMLAttributes<T> {
    command?: 'show-modal' | 'close';
    commandfor?: string;
  }
}

/** Opens and closes dialogs by `command` and `commandfor`, as browsers do that know these. */
export function runCommands(): void {
  document.addEventListener('click', ({ target }) => {
    const source = target instanceof Element ? target.closest('button[commandfor]') : null;
    const dialog = document.getElementById(source?.getAttribute('commandfor') ?? '');
    const command = source?.getAttribute('command');
    if (!(dialog instanceof HTMLDialogElement)) {
      return;
    }
    // The event that the browser would send; overlays.ts listens to it.
    dialog.dispatchEvent(Object.assign(new Event('command'), { command, source }));
    if (command === 'close') {
      dialog.close();
    } else if (command === 'show-modal' && !dialog.open) {
      dialog.showModal();
    }
  });
}
