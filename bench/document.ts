/** Text or an element, both spelled as in the source, with character references. */
export type DocumentNode = string | ElementNode;
export type ElementNode = {
  tag: string;
  attributes: [name: string, value: string][];
  children: DocumentNode[];
};

/** A text of the page that comes from a row, and the JavaScript that reads it. */
export type Slot = { text: string; expression: string };

/** Elements without an end tag in HTML, and without children in React. */
export const voidTags = new Set([
  'area',
  'base',
  'br',
  'col',
  'embed',
  'hr',
  'img',
  'input',
  'link',
  'meta',
  'source',
  'track',
  'wbr',
]);

/** What React writes for these attributes when set; it accepts only `true` for them. */
const booleanAttributes = new Set([
  'async',
  'autofocus',
  'checked',
  'disabled',
  'hidden',
  'inert',
  'multiple',
  'open',
  'readonly',
  'required',
  'selected',
]);

/** Other attributes have the same name in lower case. */
const propNames: Record<string, string> = {
  autocomplete: 'autoComplete',
  autofocus: 'autoFocus',
  charset: 'charSet',
  class: 'className',
  crossorigin: 'crossOrigin',
  'data-precedence': 'precedence',
  for: 'htmlFor',
  maxlength: 'maxLength',
  popovertarget: 'popoverTarget',
  readonly: 'readOnly',
  referrerpolicy: 'referrerPolicy',
  spellcheck: 'spellCheck',
  tabindex: 'tabIndex',
};

const entities: Record<string, string> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#x27;': "'",
};

/** The page as people see it: without scripts, their preloads and the nonces of this answer. */
export function withoutScripts(nodes: DocumentNode[]): DocumentNode[] {
  return nodes.flatMap((node): DocumentNode[] => {
    if (typeof node === 'string') {
      return [node];
    }
    const { tag } = node;
    const attributes = node.attributes.filter(([name]) => name !== 'nonce');
    const isFor = (name: string, value: string) =>
      attributes.some(([its, text]) => its === name && text === value);
    const isScript =
      tag === 'script' ||
      (tag === 'link' && (isFor('rel', 'modulepreload') || isFor('as', 'script')));
    return isScript ? [] : [{ tag, attributes, children: withoutScripts(node.children) }];
  });
}

/**
 * One line for each tag, attribute and text, to compare two documents. The order in the head is
 * ignored, because React sorts it by priority, and so are times, which the twins keep.
 */
export function linesOf(nodes: DocumentNode[]): string[] {
  return nodes.flatMap((node) => {
    if (typeof node === 'string') {
      return [`text ${decode(node)}`];
    }
    if (node.tag === 'time') {
      return ['<time>', '</time>'];
    }
    const attributes = node.attributes
      .map(([name, value]) => `  ${name}="${decode(value)}"`)
      .toSorted();
    const children = node.children.map((child) => linesOf([child]));
    const inOrder =
      node.tag === 'head'
        ? children.toSorted((one, other) => (one.join() < other.join() ? -1 : 1))
        : children;
    return [`<${node.tag}>`, ...attributes, ...inOrder.flat(), `</${node.tag}>`];
  });
}

/** A module whose `document(rows)` is the page as one template string. */
export function htmlModule(nodes: DocumentNode[], slots: Slot[]): string {
  const template = (text: string) =>
    split(text, slots)
      .map((part) =>
        typeof part === 'string'
          ? part.replace(/[\\`$]/g, '\\$&')
          : `\${escape(${part.expression})}`,
      )
      .join('');
  const write = (node: DocumentNode): string => {
    if (typeof node === 'string') {
      return template(node);
    }
    const attributes = node.attributes.map(([name, value]) => ` ${name}="${template(value)}"`);
    const end = voidTags.has(node.tag) ? '' : `${node.children.map(write).join('')}</${node.tag}>`;
    return `<${node.tag}${attributes.join('')}>${end}`;
  };
  return `
    const special = /[&<>"']/;
    const escape = (text) => special.test(text)
      ? text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;').replaceAll("'", '&#x27;')
      : text;
    export const document = ({ person, courses }) => \`<!DOCTYPE html>${nodes.map(write).join('')}\`;`;
}

/** A module whose `document(rows)` is the page as one tree of React elements. */
export function reactModule(nodes: DocumentNode[], slots: Slot[]): string {
  const expression = (text: string) =>
    split(text, slots)
      .map((part) => (typeof part === 'string' ? JSON.stringify(decode(part)) : part.expression))
      .join(' + ');
  const write = (node: DocumentNode): string => {
    if (typeof node === 'string') {
      return expression(node);
    }
    const props = node.attributes.map(([name, value]) => {
      if (name === 'action' && value.startsWith('javascript:')) {
        return 'action: inBrowsersAlone';
      }
      const isTrue = booleanAttributes.has(name) && value === '';
      return `${JSON.stringify(propNames[name] ?? name)}: ${isTrue ? 'true' : expression(value) || '""'}`;
    });
    const parts = [
      JSON.stringify(node.tag),
      `{ ${props.join(', ')} }`,
      ...node.children.map(write),
    ];
    return `createElement(${parts.join(', ')})`;
  };
  const [root] = nodes.filter((node) => typeof node !== 'string');
  return `
    import { createElement } from 'react';
    const inBrowsersAlone = () => {};
    export const document = ({ person, courses }) => ${root === undefined ? 'null' : write(root)};`;
}

/** The same text in pieces: constant parts and parts from rows. */
function split(text: string, slots: Slot[]): (string | Slot)[] {
  const slot = slots.find((slot) => text.includes(slot.text));
  if (slot === undefined) {
    return text === '' ? [] : [text];
  }
  const at = text.indexOf(slot.text);
  return [
    ...split(text.slice(0, at), slots),
    slot,
    ...split(text.slice(at + slot.text.length), slots),
  ];
}

/** React writes only these five character references. */
function decode(text: string): string {
  return text.replace(/&[#\w]+;/g, (entity) => entities[entity] ?? entity);
}
