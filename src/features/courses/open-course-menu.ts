import { courseMenuId, sidebarId } from '#features/frames/sidebar-ids.ts';

/** Opens the course selector; on a phone, the sheet around it too. */
export function openCourseMenu(): void {
  const trigger = document.querySelector<HTMLElement>(`[popovertarget="${courseMenuId}"]`);
  if (!trigger?.checkVisibility()) {
    document.getElementById(sidebarId)?.showPopover();
  }
  if (!document.getElementById(courseMenuId)?.matches(':popover-open')) {
    // The menu returns the focus to where it was.
    if (document.activeElement === document.body) {
      trigger?.focus();
    }
    trigger?.click();
  }
}
