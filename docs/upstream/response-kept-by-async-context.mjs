/*
 * workerd keeps requests in memory for ever, in two ways. Both are shown here with a control beside
 * each.
 *
 *     npm install miniflare@5.20260815.0-alpha && node response-kept-by-async-context.mjs
 *
 * (In this repository, after `npm ci`: `npx node
 * docs/upstream/response-kept-by-async-context.mjs`.) Seen with workerd 1.20260815.1, compatibility
 * date 2026-08-01, Linux x64. It prints, for each worker, the live requests and pipes in a heap
 * snapshot after two forced collections.
 *
 * 1. A Response that is made while an AsyncLocalStorage store is current holds the async context
 * frame, and the frame the store. Where the store leads back to the Response, as in Hono's
 * contextStorage() (store → Context → Context.res), the cycle passes through an object of the
 * runtime and is never collected. A store that does not lead to the Response, or that is emptied,
 * is. 2. A stream that is piped through a TransformStream is never collected when its request ends
 * before anybody reads it: the client hangs up before the Response is returned. `waitUntil` does
 * not help, reading the stream to its end does.
 */
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { convertV4MiniflareOptions, Miniflare } from 'miniflare';

const requests = 200;

const storage = `
  import { AsyncLocalStorage } from 'node:async_hooks';
  const storage = new AsyncLocalStorage();`;

const slowPipe = `
  function slowPipe() {
    const source = new ReadableStream({
      async pull(controller) {
        await new Promise((resolve) => setTimeout(resolve, 100));
        controller.enqueue(new TextEncoder().encode('done'));
        controller.close();
      },
    });
    return source.pipeThrough(new TransformStream());
  }`;

const workers = [
  {
    name: 'store-leads-to-response',
    hangsUp: false,
    script: `${storage}
      export default {
        fetch(request) {
          const store = { request };
          return storage.run(store, async () => (store.response = new Response('ok')));
        },
      };`,
  },
  {
    name: 'store-emptied',
    hangsUp: false,
    script: `${storage}
      export default {
        async fetch(request) {
          const store = { request };
          const response = await storage.run(store, async () => (store.response = new Response('ok')));
          delete store.response;
          return response;
        },
      };`,
  },
  {
    name: 'pipe-nobody-reads',
    hangsUp: true,
    script: `${slowPipe}
      export default {
        async fetch(request) {
          const body = slowPipe();
          body.request = request;
          await new Promise((resolve) => setTimeout(resolve, 50));
          return new Response(body);
        },
      };`,
  },
  {
    name: 'pipe-seen-through-and-read',
    hangsUp: true,
    script: `${slowPipe}
      export default {
        fetch(request, env, execution) {
          const answer = new Response(slowPipe()).arrayBuffer().then((body) => new Response(body));
          execution.waitUntil(answer);
          return answer;
        },
      };`,
  },
];

for (const { name, hangsUp, script } of workers) {
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      host: '127.0.0.1',
      port: 0,
      cf: false,
      inspectorPort: 0,
      workers: [
        {
          name,
          script,
          modules: true,
          compatibilityDate: '2026-08-01',
          compatibilityFlags: ['nodejs_compat'],
          unsafeDirectSockets: [{ host: '127.0.0.1', port: 0 }],
        },
      ],
    }),
  );
  await miniflare.ready;
  const address = await miniflare.unsafeGetDirectURL(name);
  for (let count = 0; count < requests; count += 1) {
    await (hangsUp ? hangUp(address) : ask(address));
  }
  // Until whatever was underway has ended.
  await wait(500);
  const inspector = new URL(`/core:user:${name}`, await miniflare.getInspectorURL());
  const live = await liveObjects(inspector, () => ask(address));
  console.log(`${name}, after ${requests} requests:`, live);
  await miniflare.dispose();
}

async function ask(address) {
  await (await fetch(address)).arrayBuffer();
}

async function hangUp(address) {
  const socket = connect(Number(address.port), address.hostname);
  await once(socket, 'connect');
  await new Promise((resolve) =>
    socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n', resolve),
  );
  socket.destroy();
}

/**
 * Counts what is alive after two collections. An isolate that rests puts a collection off until its
 * next request.
 */
async function liveObjects(inspector, poke) {
  const socket = new WebSocket(inspector);
  await new Promise((resolve) => socket.addEventListener('open', resolve));
  const waiting = new Map();
  const chunks = [];
  socket.addEventListener('message', ({ data }) => {
    const { id, method, params } = JSON.parse(data);
    if (method === 'HeapProfiler.addHeapSnapshotChunk') {
      chunks.push(params.chunk);
    }
    waiting.get(id)?.();
  });
  const call = (method) =>
    new Promise((resolve) => {
      const id = waiting.size + 1;
      waiting.set(id, resolve);
      socket.send(JSON.stringify({ id, method }));
    });
  await call('HeapProfiler.enable');
  for (let round = 0; round < 2; round += 1) {
    let isDone = false;
    const collected = call('HeapProfiler.collectGarbage').then(() => {
      isDone = true;
    });
    while (!isDone) {
      await poke();
      await Promise.race([collected, wait(20)]);
    }
  }
  await call('HeapProfiler.takeHeapSnapshot');
  socket.close();
  const { snapshot, nodes, strings } = JSON.parse(chunks.join(''));
  const fields = snapshot.meta.node_fields;
  const live = { Request: 0, Response: 0, ReadableStream: 0 };
  for (let at = fields.indexOf('name'); at < nodes.length; at += fields.length) {
    const [, name] = /^workerd \/ (\w+)$/.exec(strings[nodes[at]]) ?? [];
    if (name in live) {
      live[name] += 1;
    }
  }
  return live;
}
