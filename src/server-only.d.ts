/** Waku makes the build fail when a browser's module reaches this import. There is no package behind it. */
declare module 'server-only' {}
