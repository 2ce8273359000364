import 'server-only';
import { is, Placeholder, SQL, sql } from 'drizzle-orm';
import { type Built, buildStatement, type Query, rowsOf, type Statement } from './query.ts';

/** The placeholders for the values of a statement. */
export type Given<Name extends string> = Record<Name, SQL>;

/** What a statement binds. */
type Value = string | number | boolean | Date | null;

type Values<Name extends string = string> = Record<Name, Value | SQL>;

type Build<Result> = (given: Given<string>) => Result;

/** SQL with values, of which a prepared statement needs the text only once. */
class Fragment extends SQL {
  readonly build: Build<SQL>;
  readonly values: Values;

  constructor(build: Build<SQL>, values: Values) {
    // Not built until it is part of a statement that is not prepared.
    super([{ getSQL: () => build(inline(values)) }]);
    this.build = build;
    this.values = values;
  }
}

/**
 * Declares a part of statements, such as who asks, at module scope.
 *
 * @returns the part with the values of a request, to be given to a prepared statement
 */
export function fragment<Name extends string>(
  build: (given: Given<Name>) => SQL,
): (values: Values<Name>) => SQL {
  return (values) => new Fragment(build, values);
}

/**
 * Declares a statement at module scope. It is built with its first use in an isolate, because that
 * takes more time than the rest of a read; later calls only bind their values.
 *
 * @param build a function of its placeholders alone
 * @returns the query for the statement's rows. Of the values, a fragment becomes a part of the
 *   statement; with any other SQL, the statement is built for this call.
 */
export function prepared<Name extends string, One extends Statement>(
  build: (given: Given<Name>) => One,
): (values: Values<Name>) => Query<One['_']['result']> {
  const cache: Cache = { fragments: [], statements: new Map() };
  // Drizzle types its rows by the statement.
  return (values) => rowsOf(bind(cache, build, values)) as Query<One['_']['result']>;
}

/** A statement with placeholders, and how each of its parameters is found among the values. */
type Prepared = Omit<Built, 'params'> & { params: ((values: Values) => unknown)[] };

/** The built forms of a declared statement: one for each combination of fragments. */
type Cache = { fragments: Build<SQL>[]; statements: Map<string, Prepared> };

/** More fragments than code declares for one statement. */
const mostFragments = 20;

function bind(cache: Cache, build: Build<Statement>, values: Values): Statement | Built {
  const shape = shapeOf(cache.fragments, values);
  if (shape === null) {
    return build(inline(values));
  }
  const one = cache.statements.get(shape) ?? prepare(build, values);
  cache.statements.set(shape, one);
  const { sql: text, params, readResult } = one;
  return { sql: text, params: params.map((param) => param(values)), readResult };
}

/** Which fragments are among the values; null if other SQL is. */
function shapeOf(fragments: Build<SQL>[], values: Values): string | null {
  let shape = '';
  for (const [name, value] of Object.entries(values)) {
    if (value instanceof Fragment) {
      const inner = shapeOf(fragments, value.values);
      if (inner === null) {
        return null;
      }
      shape += `${name}:${numberOf(fragments, value.build)}(${inner})`;
    } else if (value instanceof SQL) {
      return null;
    } else {
      shape += `${name},`;
    }
  }
  return shape;
}

function numberOf(fragments: Build<SQL>[], build: Build<SQL>): number {
  const index = fragments.indexOf(build);
  if (index !== -1) {
    return index;
  }
  if (fragments.length === mostFragments) {
    throw new Error('A fragment was declared outside of module scope');
  }
  return fragments.push(build) - 1;
}

function prepare(build: Build<Statement>, values: Values): Prepared {
  const { sql: text, params, readResult } = buildStatement(build(placeholdersOf(values, [])));
  return { sql: text, readResult, params: params.map(readerOf) };
}

function placeholdersOf(values: Values, path: string[]): Given<string> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const namePath = [...path, name];
      return [
        name,
        value instanceof Fragment
          ? value.build(placeholdersOf(value.values, namePath))
          : sql`${sql.placeholder(JSON.stringify(namePath))}`,
      ];
    }),
  );
}

function readerOf(param: unknown): (values: Values) => unknown {
  if (!is(param, Placeholder)) {
    return () => param;
  }
  const path = JSON.parse(param.name) as string[];
  return (values) => {
    let value: Value | SQL | undefined;
    for (const name of path) {
      value = (value instanceof Fragment ? value.values : values)[name];
    }
    return toStored(value);
  };
}

/** The values of a statement that is built for one call. */
function inline(values: Values): Given<string> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      value instanceof SQL ? value : sql`${toStored(value)}`,
    ]),
  );
}

function toStored(value: Value | SQL | undefined): unknown {
  return value instanceof Date ? value.getTime() : value;
}

/** A time in a statement: that of a request, or one that is given to a prepared statement. */
export type Moment = Date | SQL;

/** A time as it is stored. */
export function millisecondsOf(moment: Moment): SQL {
  return moment instanceof Date ? sql`${moment.getTime()}` : moment;
}
