import 'server-only';
import { Node, Schema } from 'prosemirror-model';
import { characterCount } from '#lib/text.ts';
import type { ValidationCode } from '#vocabulary.ts';
import { marks, maxCharacters, maxDepth, nodes } from './nodes.ts';

const schema = new Schema({ nodes, marks });

/** A document that may be stored, as it was sent, and how many words it has. */
type Read = { json: string; words: number };

/**
 * Checks a document that a browser has sent: only what nodes.ts lists, in the places that it
 * allows, and nothing more.
 *
 * @returns a validation code for what cannot be stored
 */
export function readDocument(value: unknown): Read | ValidationCode {
  if (!isPlain(value) || recordOf(value)?.['type'] !== schema.topNodeType.name) {
    return 'document_invalid';
  }
  let node: Node;
  try {
    node = Node.fromJSON(schema, value);
    node.check();
  } catch {
    return 'document_invalid';
  }
  const text = node.textBetween(0, node.content.size, '\n', '\n');
  if (characterCount(text) > maxCharacters) {
    return 'lesson_text_too_long';
  }
  return { json: JSON.stringify(value), words: wordCount(text) };
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
      // Only texts have marks, and only they have a text.
      (type !== 'text' && (text !== '' || own.length > 0 || Object.hasOwn(node, 'text')))
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

function wordCount(text: string): number {
  return text.match(/[\p{L}\p{N}][\p{L}\p{M}\p{N}'’-]*/gu)?.length ?? 0;
}
