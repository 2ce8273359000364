/**
 * Turns console arguments into an error: Waku logs errors as one line with the stack.
 *
 * @param args the arguments of the console call
 */
export function failureOf(args: unknown[]): Error {
  const error = args.find((part) => part instanceof Error);
  if (error !== undefined) {
    return error;
  }
  const text = args.map(String).join(' ').replaceAll('\\n', '\n');
  const [start = '', name = 'Error'] =
    /^(?:Error during rendering: )?(?:(\w*Error): )?/.exec(text) ?? [];
  // Not `\s+`, which would take quadratic time for many empty lines.
  const framesAt = text.search(/\n[^\S\n]+at /);
  const end = framesAt === -1 ? text.length : framesAt;
  const message = text.slice(start.length, end);
  const failure = new Error(message);
  failure.name = name;
  failure.stack = `${name}: ${message}${text.slice(end)}`;
  return failure;
}
