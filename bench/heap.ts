import { setTimeout as wait } from 'node:timers/promises';

/** What is still reachable in a worker after a full garbage collection. */
export type LiveHeap = {
  /**
   * JavaScript objects, the runtime's objects that they hold, and buffer memory. Without compiled
   * code and V8's compilation data, which grow for thousands of requests and then stop.
   */
  bytes: number;
  /** The number of requests among them. */
  requests: number;
};

/** Inspects the heap of a running worker. */
export type HeapInspector = { collect: () => Promise<LiveHeap>; close: () => void };

type Reply = { id?: number; method?: string; params?: { chunk: string }; result?: unknown };

/**
 * The parts of a V8 heap snapshot that are read: rows of numbers, with their strings apart.
 */
type Snapshot = {
  snapshot: { meta: { node_fields: string[]; node_types: [string[], ...unknown[]] } };
  nodes: number[];
  strings: string[];
};

/** workerd's name in a snapshot for its own half of a request. */
const requestNode = 'workerd / Request';

/**
 * Attaches to a worker with the Chrome DevTools Protocol.
 *
 * @param address of the worker's inspector, `ws://host:port/core:user:name`
 * @param poke sends the worker any request: an idle isolate postpones a collection until the next
 *   one
 */
export async function inspectHeap(
  address: string,
  poke: () => Promise<unknown>,
): Promise<HeapInspector> {
  const socket = new WebSocket(address);
  const waiting = new Map<number, (reply: Reply) => void>();
  let chunks: string[] = [];
  let lastId = 0;
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve, { once: true });
    socket.addEventListener('error', reject, { once: true });
  });
  socket.addEventListener('message', ({ data }) => {
    const reply = JSON.parse(String(data)) as Reply;
    if (reply.method === 'HeapProfiler.addHeapSnapshotChunk') {
      chunks.push(reply.params?.chunk ?? '');
    }
    waiting.get(reply.id ?? 0)?.(reply);
  });

  function call(method: string): Promise<unknown> {
    lastId += 1;
    const id = lastId;
    socket.send(JSON.stringify({ id, method }));
    return new Promise((resolve) => waiting.set(id, ({ result }) => resolve(result)));
  }

  async function collectGarbage(): Promise<void> {
    let isDone = false;
    const done = call('HeapProfiler.collectGarbage').then(() => {
      isDone = true;
    });
    while (!isDone) {
      await poke();
      await Promise.race([done, wait(20)]);
    }
  }

  await call('HeapProfiler.enable');
  return {
    async collect() {
      // The second collection frees what finalizers released.
      await collectGarbage();
      await collectGarbage();
      const usage = (await call('Runtime.getHeapUsage')) as Record<string, number>;
      const { usedSize = 0, embedderHeapUsedSize = 0, backingStorageSize = 0 } = usage;
      chunks = [];
      await call('HeapProfiler.takeHeapSnapshot');
      const { compilerBytes, requests } = read(JSON.parse(chunks.join('')) as Snapshot);
      chunks = [];
      return {
        bytes: usedSize + embedderHeapUsedSize + backingStorageSize - compilerBytes,
        requests,
      };
    },
    close: () => socket.close(),
  };
}

function read({ snapshot, nodes, strings }: Snapshot): { compilerBytes: number; requests: number } {
  const { node_fields: fields, node_types: types } = snapshot.meta;
  const at = (node: number, field: string) => nodes[node + fields.indexOf(field)] ?? 0;
  let compilerBytes = 0;
  let requests = 0;
  for (let node = 0; node < nodes.length; node += fields.length) {
    const type = types[0][at(node, 'type')];
    const name = strings[at(node, 'name')] ?? '';
    // Object shapes, and V8's own lists for the runtime's objects.
    const isNote = type === 'object shape' || (type === 'native' && name.startsWith('system / '));
    if (type === 'code' || isNote) {
      compilerBytes += at(node, 'self_size');
    }
    if (name === requestNode) {
      requests += 1;
    }
  }
  return { compilerBytes, requests };
}
