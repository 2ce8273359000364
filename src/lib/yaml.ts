/** What JSON can say. */
type Json = string | number | boolean | null | Json[] | { [name: string]: Json };

/** Texts that are texts without quotes too, in YAML 1.1 and 1.2: words and versions, but not `yes`, `null` or `1.5`. */
const plainPattern = /^(?!(?:true|false|null|yes|no|on|off|y|n)$)(?:[a-z][\w-]*|\d+\.\d+\.\d+)$/i;

/** Plain data as YAML, one item a line. Scalars are those of JSON, which YAML takes as they are. */
export function toYaml(value: Json): string {
  return `${linesOf(value).join('\n')}\n`;
}

function linesOf(value: Json): string[] {
  if (!isNested(value)) {
    return [scalar(value)];
  }
  if (Array.isArray(value)) {
    return value.flatMap((item) => {
      const [first, ...rest] = linesOf(item);
      return [`- ${first}`, ...rest.map((line) => `  ${line}`)];
    });
  }
  return Object.entries(value).flatMap(([name, item]) =>
    isNested(item)
      ? [`${scalar(name)}:`, ...linesOf(item).map((line) => `  ${line}`)]
      : [`${scalar(name)}: ${scalar(item)}`],
  );
}

/** Empty ones have no lines of their own: they are written as in JSON. */
function isNested(value: Json): value is Json[] | { [name: string]: Json } {
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0;
}

function scalar(value: Json): string {
  return typeof value === 'string' && plainPattern.test(value) ? value : JSON.stringify(value);
}
