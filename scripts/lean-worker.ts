import type { Plugin } from 'vite';

/** An import that is answered with a module of ours, in one environment of the build. */
type Replacement = {
  environment: 'rsc' | 'ssr';
  imported: RegExp;
  /** The files that import it. */
  by: RegExp;
  /** The source of our module. @param original what is replaced, to be imported */
  source: (original: string) => string;
};

const nothing = () => 'export default undefined;';

const replacements: Replacement[] = [
  {
    // `renderToString`, which stands beside the streams of `react-dom/server.edge` and is called by nobody.
    environment: 'ssr',
    imported: /-legacy\.browser\.production\.js$/,
    by: /\/react-dom\/server\.edge\.js/,
    source: nothing,
  },
  {
    // Forms load their schemas in the browser, when somebody types; the API has its own in `rsc`.
    environment: 'ssr',
    imported: /\/schema\.ts$/,
    by: /\.tsx$/,
    source: nothing,
  },
  // Drizzle's relational queries, and its columns for tables that are declared by a function: src/db has neither.
  {
    environment: 'rsc',
    imported: /^\.\/query-builders\/query\.js$/,
    by: /\/drizzle-orm\/sqlite-core\/db\.js$/,
    source: () => 'export const RelationalQueryBuilder = undefined;',
  },
  {
    environment: 'rsc',
    imported: /^\.\.\/relations\.js$/,
    by: /\/drizzle-orm\/sqlite-core\/dialect\.js$/,
    source: () =>
      'export const [getOperators, getOrderByOperators, Many, normalizeRelation, One] = [];',
  },
  {
    environment: 'rsc',
    imported: /^\.\.\/relations\.js$/,
    by: /\/drizzle-orm\/d1\/driver\.js$/,
    source: () => 'export const [createTableRelationsHelpers, extractTablesRelationalConfig] = [];',
  },
  {
    environment: 'rsc',
    imported: /^\.\/columns\/all\.js$/,
    by: /\/drizzle-orm\/sqlite-core\/table\.js$/,
    source: () => 'export const getSQLiteColumnBuilders = undefined;',
  },
  {
    // Waku keeps what is static of a page as React's payload, and reads that with a parser of its own for each request. Here the
    // element itself is kept: it is the same for everybody.
    environment: 'rsc',
    imported: /\/element-cache\.js$/,
    by: /\/waku\/dist\/router\//,
    source: (original) => `
      export * from ${JSON.stringify(original)};
      export function createElementCache() {
        const elements = new Map();
        return {
          preload() {},
          has: (id) => elements.has(id),
          get: (id) => elements.get(id),
          set(id, element) { elements.set(id, element); },
        };
      }`,
  },
];

/** A library whose parts cannot be imported one by one. */
type Edit = { environment: 'rsc' | 'ssr'; file: RegExp; edit: (code: string) => string };

const edits: Edit[] = [
  {
    // Of the twenty resources that Resend's client sets up, those that src/ asks for. Lines stay where they are, for source maps.
    environment: 'rsc',
    file: /\/node_modules\/resend\/dist\/index\.mjs$/,
    edit: (code) =>
      code.replace(
        /^\t\tthis\.(?!(?:emails|webhooks) )\w+ = (?:new [\w$]+\((?:this|resend)\)|this\.segments);$/gm,
        '',
      ),
  },
  {
    // There are no server functions: middleware/read-only-pages.ts keeps away what these would decode.
    environment: 'rsc',
    file: /\/react-server-dom-webpack-server\.edge\.production\.js$/,
    edit: withoutExports(
      'decodeAction',
      'decodeFormState',
      'decodeReply',
      'decodeReplyFromAsyncIterable',
      'prerender',
    ),
  },
  {
    // Pages are streamed from their beginning to their end.
    environment: 'ssr',
    file: /\/react-dom-server\.edge\.production\.js$/,
    edit: withoutExports('prerender', 'resume', 'resumeAndPrerender'),
  },
];

/** Empties the lines that give a CommonJS file these exports; what only they need goes with them. */
function withoutExports(...names: string[]) {
  return (code: string): string => {
    let rest = code;
    for (const name of names) {
      const found = new RegExp(`^exports\\.${name} = function .*?^};$`, 'ms').exec(rest)?.[0];
      if (found === undefined) {
        throw new Error(`React exports no ${name} any more. Look at scripts/lean-worker.ts.`);
      }
      rest = rest.replace(found, () => found.replaceAll(/[^\n]/g, ''));
    }
    return rest;
  };
}

const prefix = '\0lean-worker:';

/**
 * Leaves out of the worker what libraries and islands bring along and no request can reach. The build fails when any of it is not
 * met any more: it has moved, and would come in again from elsewhere.
 */
export function leanWorker(): Plugin {
  const met = new Set<Replacement | Edit>();
  const originals = new Map<Replacement, string>();
  return {
    name: 'lean-worker',
    apply: 'build',
    enforce: 'pre',
    async resolveId(imported, importer = '', options) {
      const { name } = this.environment;
      const index = replacements.findIndex(
        (known) =>
          known.environment === name && known.imported.test(imported) && known.by.test(importer),
      );
      const replacement = replacements[index];
      if (replacement === undefined) {
        return null;
      }
      const original = await this.resolve(imported, importer, { ...options, skipSelf: true });
      originals.set(replacement, original?.id ?? imported);
      met.add(replacement);
      return prefix + index;
    },
    load(id) {
      const replacement = replacements[Number(id.slice(prefix.length))];
      return id.startsWith(prefix) && replacement !== undefined
        ? replacement.source(originals.get(replacement) ?? '')
        : null;
    },
    transform(code, id) {
      const known = edits.find(
        ({ environment, file }) => environment === this.environment.name && file.test(id),
      );
      const edited = known?.edit(code) ?? code;
      if (known === undefined || edited === code) {
        return null;
      }
      met.add(known);
      return { code: edited, map: null };
    },
    // Not when a build ends: Waku goes through the sources for their islands before, and writes nothing.
    writeBundle() {
      const missed = [...replacements, ...edits].filter(
        (known) => known.environment === this.environment.name && !met.has(known),
      );
      if (missed.length > 0) {
        const names = missed.map((known) => ('file' in known ? known.file : known.imported).source);
        this.error(`Not met any more: ${names.join(', ')}. Look at scripts/lean-worker.ts.`);
      }
    },
  };
}
