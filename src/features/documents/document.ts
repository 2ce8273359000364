/** A mark of a text, such as bold, as ProseMirror writes it. */
export type DocumentMark = { type: string; attrs?: Record<string, unknown> };

/** A node of a document as ProseMirror writes it. nodes.ts lists what there can be. */
export type DocumentNode = {
  type: string;
  attrs?: Record<string, unknown>;
  content?: DocumentNode[];
  marks?: DocumentMark[];
  text?: string;
};

/** The text of a lesson. */
export type LessonDocument = DocumentNode & { type: 'doc' };

/** What a lesson has before anything is written. */
export const emptyDocument: LessonDocument = { type: 'doc', content: [{ type: 'paragraph' }] };
