/** What the tabs of one browser tell each other. */
type TabMessage =
  /** Something on the server: pages may be outdated. */
  | { kind: 'changed' }
  /** A link or a code has just logged this browser in. */
  | { kind: 'confirmed' }
  /** A page of this user is open. */
  | { kind: 'signed-in'; viewerId: string }
  | { kind: 'signed-out' };

/** Opened on first use. One for each tab, because a channel does not hear itself. */
const tabs: { channel?: BroadcastChannel } = {};

function channelOf(): BroadcastChannel | null {
  // Without channels, tabs notice changes when they are looked at again.
  if (!('BroadcastChannel' in window)) {
    return null;
  }
  tabs.channel ??= new BroadcastChannel('lectern');
  return tabs.channel;
}

/** Tells the other tabs of this browser. */
export function tellTabs(message: TabMessage): void {
  channelOf()?.postMessage(message);
}

/** Listens to the other tabs; returns the function that unsubscribes. */
export function onTabMessage(listener: (message: TabMessage) => unknown): () => void {
  const channel = channelOf();
  // Only our own pages can write to it.
  const hear = ({ data }: MessageEvent<TabMessage>) => listener(data);
  channel?.addEventListener('message', hear);
  return () => channel?.removeEventListener('message', hear);
}
