/** The body of a twin, which bench/document.ts writes out of the home page of the built worker. */
declare module 'generated:html' {
  export function document(rows: import('./database.ts').Rows): string;
}

declare module 'generated:react' {
  export function document(rows: import('./database.ts').Rows): import('react').ReactNode;
}
