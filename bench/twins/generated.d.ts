/** The body of a twin, which bench/document.ts generates from the built worker's home page. */
declare module 'generated:html' {
  export function document(rows: import('./database.ts').Rows): string;
}

declare module 'generated:react' {
  export function document(rows: import('./database.ts').Rows): import('react').ReactNode;
}
