import 'server-only';
import { Node, Schema } from 'prosemirror-model';
import { characterCount } from '#lib/text.ts';
import { wordCount } from './document-text.ts';
import { marks, maxBytes, maxCharacters, maxDepth, nodes } from './nodes.ts';

const schema = new Schema({ nodes, marks });

/** A document that may be stored, as it was sent, and how many words it has. */
type Read = { json: string; words: number };

/** Why it may not, with the text near what is wrong. */
type Refused = {
  refusal:
    | 'lesson_text_too_long'
    | 'lesson_text_too_large'
    | { code: 'document_invalid_near'; values: { near: string } };
};

/**
 * Checks a document that a browser has sent: only what nodes.ts lists, in the places that it
 * allows, and nothing more.
 */
export function readDocument(value: unknown): Read | Refused {
  const node = nodeOf(value);
  if (node === null) {
    const values = { near: textNearFault(value) };
    return { refusal: { code: 'document_invalid_near', values } };
  }
  const text = node.textBetween(0, node.content.size, '\n', '\n');
  if (characterCount(text) > maxCharacters) {
    return { refusal: 'lesson_text_too_long' };
  }
  const json = JSON.stringify(value);
  return new TextEncoder().encode(json).byteLength > maxBytes
    ? { refusal: 'lesson_text_too_large' }
    : { json, words: wordCount(text) };
}

function nodeOf(value: unknown): Node | null {
  if (!isPlain(value) || recordOf(value)?.['type'] !== schema.topNodeType.name) {
    return null;
  }
  try {
    const node = Node.fromJSON(schema, value);
    node.check();
    return node;
  } catch {
    return null;
  }
}

/** The beginning of the first block that can't be stored; without a text, of the one before it. */
function textNearFault(document: unknown): string {
  const blocks = recordOf(document)?.['content'];
  let near = '…';
  for (const block of Array.isArray(blocks) ? blocks : []) {
    near = textIn(block) || near;
    if (nodeOf({ type: 'doc', content: [block] }) === null) {
      return near;
    }
  }
  return '…';
}

/** The first words of what may be no document. */
function textIn(value: unknown): string {
  let text = '';
  const open = [value];
  while (open.length > 0 && text.length < 60) {
    const { text: own, content } = recordOf(open.pop()) ?? {};
    text += typeof own === 'string' ? own : '';
    open.push(...(Array.isArray(content) ? content.slice(0, 60).reverse() : []));
  }
  return text
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim()
    .slice(0, 60)
    .toWellFormed();
}

const fieldsOfNode = new Set(['type', 'attrs', 'content', 'marks', 'text']);
const fieldsOfMark = new Set(['type', 'attrs']);

/**
 * Whether a value has nothing that ProseMirror would skip in silence, such as attributes that its
 * node does not have, and is not nested too deep for it.
 */
function isPlain(value: unknown): boolean {
  const open = [{ value, depth: 0, fields: fieldsOfNode }];
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    const { depth, fields } = one;
    const node = recordOf(one.value);
    const type = typeof node?.['type'] === 'string' ? node['type'] : '';
    const spec = fields === fieldsOfNode ? schema.nodes[type]?.spec : schema.marks[type]?.spec;
    if (node === null || spec === undefined || depth > maxDepth) {
      return false;
    }
    const { attrs = {}, content = [], marks: own = [], text = '' } = node;
    const given = recordOf(attrs);
    if (
      given === null ||
      !Array.isArray(content) ||
      !Array.isArray(own) ||
      typeof text !== 'string' ||
      // What no database keeps as it is.
      !text.isWellFormed() ||
      text.includes('\0') ||
      !Object.keys(node).every((field) => fields.has(field)) ||
      !Object.keys(given).every((attr) => Object.hasOwn(spec.attrs ?? {}, attr)) ||
      // Only texts have one.
      (type !== 'text' && Object.hasOwn(node, 'text'))
    ) {
      return false;
    }
    for (const child of content) {
      open.push({ value: child, depth: depth + 1, fields: fieldsOfNode });
    }
    for (const mark of own) {
      open.push({ value: mark, depth: depth + 1, fields: fieldsOfMark });
    }
  }
  return true;
}

function recordOf(value: unknown): Record<string, unknown> | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? // An object that JSON has.
      (value as Record<string, unknown>)
    : null;
}
