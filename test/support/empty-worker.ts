/**
 * The pool needs a worker, and cannot load Waku's own. Tests call the API themselves, so this one
 * loads nothing: a file that needs little of the product starts at once.
 */
export default {
  fetch: () => new Response(null, { status: 404 }),
} satisfies ExportedHandler;
