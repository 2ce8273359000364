import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { unstable_readConfig } from 'wrangler';
import { crons, optionalSecretNames, secretNames } from '../../src/settings.ts';

test('source maps, which error reports need, are not served', () => {
  const maps = globSync('dist/source-maps/**/*.map');

  expect(maps.some((file) => file.startsWith('dist/source-maps/public/'))).toBe(true);
  expect(maps.some((file) => file.startsWith('dist/source-maps/server/'))).toBe(true);
  expect(globSync('dist/{public,server}/**/*.map')).toEqual([]);
  const served = globSync('dist/public/**/*.{js,css}');
  expect(served.filter((file) => readFileSync(file, 'utf8').includes('sourceMappingURL'))).toEqual(
    [],
  );
});

test.each([null, 'preview', 'production'])(
  'wrangler.toml is complete in the environment %s: only the operator’s own domain, no request addresses in the log, all bindings and secrets',
  (environment) => {
    const config = readWranglerToml(environment);

    expect(config.workers_dev).toBe(false);
    expect(config.preview_urls).toBe(false);
    expect(config.observability.logs).toEqual({ enabled: true, invocation_logs: false });
    expect(config.triggers.crons).toEqual(Object.values(crons));
    expect(config.d1_databases.map(({ binding }) => binding)).toEqual(['DB']);
    expect(config.ratelimits.map(({ name, simple }) => [name, simple])).toEqual([
      ['FLOOD_LIMIT', { limit: 1200, period: 60 }],
      ['FLOOD_LIMIT_NETWORK', { limit: 19200, period: 60 }],
      ['REPORTS', { limit: 60, period: 60 }],
    ]);
    expect(config.secrets.required).toEqual(secretNames);
    expect(config.vars['ENVIRONMENT']).toBe(environment ?? 'local');
    expect(config.name).toBe(
      { preview: 'lectern-preview', production: 'lectern' }[environment ?? ''] ?? 'lectern-local',
    );
  },
);

test('no two environments share a name, a rate limiter or a domain', () => {
  const configs = ['preview', 'production'].map(readWranglerToml);
  const unique = configs.flatMap(({ name, ratelimits, routes }) => [
    name,
    ...ratelimits.map(({ namespace_id }) => namespace_id),
    ...(routes ?? []).map((route) => JSON.stringify(route)),
  ]);

  expect(unique).toHaveLength(10);
  expect(new Set(unique).size).toBe(10);
});

test('files sent to browsers name no secret of the worker', () => {
  const files = globSync('dist/public/**/*.{js,css,html,txt}');
  const offenders = files.filter((file) =>
    [...secretNames, ...optionalSecretNames].some((name) =>
      readFileSync(file, 'utf8').includes(name),
    ),
  );

  expect(files.length).toBeGreaterThan(0);
  expect(offenders).toEqual([]);
});

type WranglerToml = {
  name: string;
  workers_dev: boolean;
  preview_urls: boolean;
  observability: { logs: object };
  triggers: { crons: string[] };
  vars: Record<string, unknown>;
  secrets: { required: string[] };
  d1_databases: { binding: string }[];
  ratelimits: { name: string; namespace_id: string; simple: object }[];
  routes?: unknown[];
};

/**
 * The declared type of what wrangler returns is `any`; these fields are those of its
 * config-schema.json.
 */
function readWranglerToml(env: string | null): WranglerToml {
  return unstable_readConfig({ config: 'wrangler.toml', ...(env && { env }) }) as WranglerToml;
}
