declare namespace Cloudflare {
  // biome-ignore lint/style/useConsistentTypeDefinitions: only an interface merges with the one that is made from wrangler.toml.
  interface Env {
    TEST_SCHEMA: string[];
    STRIPE_SECRET_KEY: string;
    STRIPE_WEBHOOK_SECRET: string;
    FUZZ_REQUESTS: string;
    FUZZ_SEED: string;
    STORM_ROUNDS: string;
    EVERY_CASE: string;
  }
}
