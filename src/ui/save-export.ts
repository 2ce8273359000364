import { showToast } from './toast.tsx';

/**
 * Has the browser save an export as a JSON file with its day in the name.
 *
 * @param done shown in a toast
 */
export function saveExport(data: { exported_at: string }, name: string, done: string): void {
  const fileName = `${name}-${data.exported_at.slice(0, 10)}.json`;
  saveFile(JSON.stringify(data, null, 2), 'application/json', fileName);
  showToast(done);
}

export function saveFile(text: string, type: string, fileName: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = fileName;
  link.click();
  URL.revokeObjectURL(link.href);
}
