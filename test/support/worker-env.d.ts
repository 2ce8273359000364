declare namespace Cloudflare {
  // biome-ignore lint/style/useConsistentTypeDefinitions: only an interface merges with the one of the types package -- Env is declared there.
  interface Env {
    DB: D1Database;
    SIEVE: RateLimit;
    REPORTS: RateLimit;
    APP_SECRET: string;
    GOOGLE_CLIENT_SECRET: string;
    RESEND_WEBHOOK_SECRET: string;
    RESEND_API_KEY: string;
    TEST_MIGRATIONS: import('cloudflare:test').D1Migration[];
  }
}
