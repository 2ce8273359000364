import { getSchemaByResolvedExtensions } from '@tiptap/core';
import { expect, test } from 'vitest';
import { marks, nodes } from '#features/documents/nodes.ts';
import {
  extensions,
  FileNode,
  ImageNode,
  schemaSpec,
  Video,
} from '#features/lessons/editor/extensions.ts';

test('the editor has exactly the nodes, marks and attributes that can be stored', () => {
  const resolved = [...extensions, Video, ImageNode, FileNode];
  const { spec } = getSchemaByResolvedExtensions(resolved, undefined, schemaSpec);
  const ofEditor: [string, object][] = [];
  spec.nodes.forEach((name, node) => {
    ofEditor.push([name, structureOf(node)]);
  });
  spec.marks.forEach((name, mark) => {
    ofEditor.push([name, structureOf(mark)]);
  });

  const ofWorker = [...Object.entries(nodes), ...Object.entries(marks)];
  expect(ofEditor).toEqual(ofWorker.map(([name, node]) => [name, structureOf(node)]));
});

/** What decides which documents there can be. */
function structureOf(spec: Record<string, unknown>) {
  const { content = '', group, marks: allowed, attrs, excludes, inline } = spec;
  return { content, group, allowed, attrs, excludes, inline };
}
