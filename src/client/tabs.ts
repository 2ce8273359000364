/** What a tab tells the others of the same browser. */
type TabMessage = 'signed in';

const channelName = 'lectern';

/** Tells all other tabs. A browser without channels tells none. */
export function tellTabs(message: TabMessage): void {
  const channel = openChannel();
  channel?.postMessage(message);
  channel?.close();
}

/** Listens to the other tabs; returns the function that unsubscribes. */
export function onTabs(message: TabMessage, listener: () => void): () => void {
  const channel = openChannel();
  channel?.addEventListener('message', ({ data }) => {
    if (data === message) {
      listener();
    }
  });
  return () => channel?.close();
}

function openChannel(): BroadcastChannel | null {
  return 'BroadcastChannel' in window ? new BroadcastChannel(channelName) : null;
}
