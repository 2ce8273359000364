import { readableName } from '#lib/text.ts';

/** The file of a download that says what the others are. */
export const readmeName = 'README.txt';

/** `02-scenes`, in which the number keeps order and makes it one of its kind. */
export function numberedName(number: number, title: string, fallback: string): string {
  return `${String(number).padStart(2, '0')}-${readableName(title) || fallback}`;
}

/** What systems refuse in the name of a file or do not show, and what addresses read otherwise. */
const unsafeCharacters = /[<>:"/\\|?*#%\p{Cc}\p{Cf}]/gu;
const reservedNames = /^(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[\d¹²³])$/i;
const longestStem = 80;

/** Names for files in one folder, each safe on all systems and, whatever the case, only once. */
export function uniqueNames(): (name: string) => string {
  const taken = new Set<string>();
  return (name) => {
    const safe = name.normalize('NFC').replace(unsafeCharacters, '_');
    const [, stem = '', ending = ''] = /^(.*?)(\.[^.\s]{1,10})?$/u.exec(safe.trim()) ?? [];
    const short = [...stem]
      .slice(0, longestStem)
      .join('')
      .replace(/[. ]+$/, '');
    const [base = ''] = short.split('.');
    const own =
      short === '' || short.startsWith('.') || reservedNames.test(base) ? `_${short}` : short;
    for (let no = 1; ; no += 1) {
      const unique = `${own}${no === 1 ? '' : ` (${no})`}${ending}`;
      if (!taken.has(unique.toLowerCase())) {
        taken.add(unique.toLowerCase());
        return unique;
      }
    }
  };
}
