/**
 * An error once more, of one that Waku has put on one line with its stack, or of any other words.
 * They may be long, and anyone may have written them.
 *
 * @param said what was handed to the console
 */
export function failureOf(said: unknown[]): Error {
  const known = said.find((part) => part instanceof Error);
  if (known !== undefined) {
    return known;
  }
  const text = said.map(String).join(' ').replaceAll('\\n', '\n');
  const [start = '', name = 'Error'] =
    /^(?:Error during rendering: )?(?:(\w*Error): )?/.exec(text) ?? [];
  // Not `\s+`, which would look at many empty lines many times over.
  const framesAt = text.search(/\n[^\S\n]+at /);
  const end = framesAt === -1 ? text.length : framesAt;
  const message = text.slice(start.length, end);
  const failure = new Error(message);
  failure.name = name;
  failure.stack = `${name}: ${message}${text.slice(end)}`;
  return failure;
}
