/** Answers a constant: what a request costs on this machine whatever is done with it. */
export default {
  fetch: () => new Response('Hello', { headers: { 'Content-Type': 'text/plain' } }),
};
