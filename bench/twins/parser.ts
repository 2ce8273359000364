import { type DocumentNode, type ElementNode, voidTags } from '../document.ts';

/**
 * Not a twin: workerd's HTML parser, for the bench. Takes a document and returns its elements and
 * text as spelled in the source, without comments.
 */
export default {
  async fetch(request: Request) {
    const root: ElementNode = { tag: '', attributes: [], children: [] };
    const open = [root];
    const innermost = () => open.at(-1) ?? root;
    const rewriter = new HTMLRewriter().on('*', {
      element(element) {
        const attributes = pairsOf(element.attributes);
        const node: ElementNode = { tag: element.tagName, attributes, children: [] };
        innermost().children.push(node);
        if (!voidTags.has(element.tagName)) {
          open.push(node);
          element.onEndTag(() => {
            open.pop();
          });
        }
      },
      text({ text }) {
        addText(innermost().children, text);
      },
    });
    await rewriter.transform(new Response(request.body)).text();
    return Response.json(root.children);
  },
};

/** Text arrives in pieces; comments, which are left out, split it too. */
function addText(children: DocumentNode[], text: string): void {
  const last = children.at(-1);
  if (typeof last === 'string') {
    children[children.length - 1] = last + text;
  } else if (text !== '') {
    children.push(text);
  }
}

/** Names and values: workerd returns pairs where the DOM types have objects. */
function pairsOf(attributes: unknown): [name: string, value: string][] {
  return [...(attributes as Iterable<[string, string]>)];
}
