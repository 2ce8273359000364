/** How people are told of a change, by the fields of telling.tsx; nothing without these. */
export function toldBy({ notify, note = '' }: Record<string, string>): {
  notify?: boolean;
  note?: string;
} {
  return notify === undefined ? {} : { notify: notify === 'on', note };
}
