/** Whether the sidebar is open on a desk, `true` or `false`. It is, until somebody closes it. */
export const sidebarCookie = 'sidebar_state';
/** 7 days. */
export const sidebarCookieMaxAgeSeconds = 604_800;
/** Below this width, in px, the sidebar is a sheet; the same as in styles.css. */
export const mobileBreakpoint = 768;
/** The popover that is the sidebar, and the course selector in it. */
export const sidebarId = 'sidebar';
export const courseMenuId = 'courses';
