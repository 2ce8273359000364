import { showToast } from './toast.tsx';

/**
 * Has the browser save an export as a JSON file with its day in the name.
 *
 * @param done shown in a toast
 */
export function saveExport(data: { exported_at: string }, name: string, done: string): void {
  const file = new Blob([JSON.stringify(data, null, 2)], { type: 'application/json' });
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = `${name}-${data.exported_at.slice(0, 10)}.json`;
  link.click();
  URL.revokeObjectURL(link.href);
  showToast(done);
}
