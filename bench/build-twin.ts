import path from 'node:path';
import type { LegacyWorkerOptions } from 'miniflare';
import { rolldown } from 'rolldown';

/** Written by the bench out of the home page, by the name that twins import. */
export type Generated = Record<`generated:${string}`, string>;

/** One file of bench/twins as a worker of its own: bundled and minified, with the production build of React. */
export async function buildTwin(
  name: string,
  { d1Databases = {}, compatibilityDate = '' }: LegacyWorkerOptions,
  generated: Generated = {},
): Promise<LegacyWorkerOptions> {
  const bundle = await rolldown({
    input: path.join(import.meta.dirname, 'twins', `${name}.ts`),
    platform: 'neutral',
    resolve: { mainFields: ['module', 'main'], conditionNames: ['workerd', 'import', 'default'] },
    transform: { define: { 'process.env.NODE_ENV': '"production"' } },
    plugins: [
      {
        name: 'generated',
        resolveId: (id) => (id in generated ? id : null),
        load: (id) => new Map(Object.entries(generated)).get(id) ?? null,
      },
    ],
  });
  try {
    const { output } = await bundle.generate({ format: 'esm', minify: true });
    const [{ code }] = output;
    return {
      name,
      compatibilityDate,
      modules: [{ type: 'ESModule', path: `${name}.js`, contents: code }],
      d1Databases,
    };
  } finally {
    await bundle.close();
  }
}
