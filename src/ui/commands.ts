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
