import { type Input, integerAt, objectOf, refuseUnknown, textAt } from './input.ts';
import { refuse } from './refusal.ts';
import { type Owner, type Row, rowsOf, type State, shown } from './state.ts';

/** The newest first, as Stripe's lists are. */
export function list(
  state: State,
  kind: Row['object'],
  { input, account, path }: { input: Input; account: Owner; path: string },
): object {
  const times = { gte: true, lt: true } as const;
  refuseUnknown(input, {
    ...{ limit: true, starting_after: true, payment_intent: true, created: times, expand: true },
  });
  const limit = integerAt(input, 'limit') ?? 10;
  if (limit < 1 || limit > 100) {
    refuse('This value must be between 1 and 100.', { param: 'limit' });
  }
  const intent = textAt(input, 'payment_intent');
  const from = integerAt(input, 'created[gte]') ?? 0;
  const before = integerAt(input, 'created[lt]') ?? Number.POSITIVE_INFINITY;
  const matching = rowsOf(state, kind)
    .toReversed()
    .filter((row) => row.account === account && row.created >= from && row.created < before)
    .filter((row) => intent === null || ('payment_intent' in row && row.payment_intent === intent));
  const after = textAt(input, 'starting_after');
  const start = after === null ? 0 : matching.findIndex(({ id }) => id === after) + 1;
  if (after !== null && start === 0) {
    refuse(`No such object: '${after}'`, { code: 'resource_missing', param: 'starting_after' });
  }
  const has_more = start + limit < matching.length;
  const data = matching.slice(start, start + limit).map(shown);
  return { object: 'list', url: path, has_more, data };
}

/** Puts objects in the place of their ids, as `expand` asks. */
export function expandAll(state: State, answer: object, input: Input): object {
  const paths = Object.values(objectOf(input['expand'])).map((path) => String(path).split('.'));
  return paths.reduce((object, path) => expand(state, object, path), answer);
}

function expand(state: State, object: object, [name, ...rest]: string[]): object {
  if (name === undefined) {
    return object;
  }
  const value = (object as Input)[name];
  if (Array.isArray(value)) {
    return { ...object, [name]: value.map((each) => expand(state, each, rest)) };
  }
  const row = typeof value === 'string' ? state.rows[value] : undefined;
  const expanded = row === undefined ? value : shown(row);
  if (expanded === undefined || typeof expanded === 'string') {
    refuse(`This property cannot be expanded (${name}).`);
  }
  return { ...object, [name]: expanded === null ? null : expand(state, objectOf(expanded), rest) };
}
