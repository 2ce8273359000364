/** Whether the sidebar is open on desktop, `true` (the default) or `false`. */
export const sidebarCookie = 'sidebar_state';
/** 7 days. */
export const sidebarCookieMaxAgeSeconds = 604_800;
/** Below this width, in px, the sidebar is a sheet; the same as in styles/shell.css. */
const mobileBreakpoint = 768;
/** The ids of the sidebar's popover and of the course selector in it. */
export const sidebarId = 'sidebar';
export const courseMenuId = 'courses';

export function sidebar(): HTMLElement | null {
  return document.getElementById(sidebarId);
}

export function isDesk(): MediaQueryList {
  return window.matchMedia(`(min-width: ${mobileBreakpoint}px)`);
}
