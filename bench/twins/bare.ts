/** Answers a constant: the minimum cost of a request on this machine. */
export default {
  fetch: () => new Response('Hello', { headers: { 'Content-Type': 'text/plain' } }),
};
