declare namespace Cloudflare {
  // biome-ignore lint/style/useConsistentTypeDefinitions: only an interface merges with the one of the types package -- Env is declared there.
  interface Env {
    DB: D1Database;
    TEST_MIGRATIONS: import('cloudflare:test').D1Migration[];
  }
}
