/*
 * rsc-html-stream decodes and encodes all HTML of a page, to cut off its last 14 characters, and
 * waits for a timer before each write. Waku pipes its pages through it, and puts a `tee`, another
 * TransformStream and another timer before it (`batchReadableStream`).
 *
 *     npm install rsc-html-stream@0.0.8 && node payload-beside-html.mjs
 *
 * (In this repository, after `npm ci`: `npx node docs/upstream/payload-beside-html.mjs`.) It prints
 * the CPU time of both for a page of 20 kB of HTML and 15 kB of payload, and fails unless both
 * write the same bytes.
 *
 * Suggested: `injectRSCPayload` as below, which compares bytes; React writes the trailer with its
 * last chunk. The timer is for servers that send pages while they are rendered, where the HTML of
 * one tick has to stay together; a page that is sent whole needs none.
 */
import { injectRSCPayload } from 'rsc-html-stream/server';

const encoder = new TextEncoder();
const trailer = encoder.encode('</body></html>');

/** Payload after all HTML, for pages that are sent whole. */
function payloadAfterHtml(rscStream, { nonce } = {}) {
  let last = null;
  return new TransformStream({
    transform(chunk, controller) {
      if (last !== null) {
        controller.enqueue(last);
      }
      last = chunk;
    },
    async flush(controller) {
      const end = last?.length ?? 0;
      const hasTrailer = trailer.every(
        (byte, index) => last?.[end - trailer.length + index] === byte,
      );
      controller.enqueue(hasTrailer ? last.subarray(0, end - trailer.length) : last);
      const decoder = new TextDecoder();
      for await (const chunk of rscStream) {
        const text = JSON.stringify(decoder.decode(chunk, { stream: true }));
        const script = `(self.__FLIGHT_DATA||=[]).push(${text})`
          .replace(/<!--/g, '<\\!--')
          .replace(/<\/(script)/gi, '</\\$1');
        const attribute = nonce === undefined ? '' : ` nonce="${nonce}"`;
        controller.enqueue(encoder.encode(`<script${attribute}>${script}</script>`));
      }
      controller.enqueue(trailer);
    },
  });
}

const html = `<html><body>${'<p class="row">Élise &amp; Zoë</p>'.repeat(600)}</body></html>`;
const payload = '1:["$","p",null,{"className":"row","children":"Élise </script>"}]\n'.repeat(220);

/** As React writes: 2 kB at a time, and characters cut in two. */
function streamOf(text) {
  const bytes = encoder.encode(text);
  return new ReadableStream({
    start(controller) {
      for (let at = 0; at < bytes.length; at += 2048) {
        controller.enqueue(bytes.subarray(at, at + 2048));
      }
      controller.close();
    },
  });
}

const page = (inject) =>
  new Response(streamOf(html).pipeThrough(inject(streamOf(payload), { nonce: 'abc' }))).text();

async function cpuOf(inject, pages) {
  const before = process.cpuUsage();
  for (let count = 0; count < pages; count += 1) {
    await page(inject);
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / pages;
}

if ((await page(injectRSCPayload)) !== (await page(payloadAfterHtml))) {
  throw new Error('The pages differ.');
}
for (const inject of [injectRSCPayload, payloadAfterHtml]) {
  await cpuOf(inject, 300);
  console.log(inject.name, `${Math.round(await cpuOf(inject, 1000))} µs of CPU a page`);
}
