/** Part of a navigator that the types do not have: not all browsers do. */
type Connected = { connection?: { saveData?: boolean; effectiveType?: string } };

/** Whether what is fetched in vain costs money, or holds up what is needed. */
export function isCostly(): boolean {
  const { saveData, effectiveType } = (window.navigator as Connected).connection ?? {};
  return saveData === true || effectiveType === 'slow-2g' || effectiveType === '2g';
}
