/** How a page looks on paper. Only pages that are printed load it, and no screen waits for it. */
export function PrintStyles() {
  return <link rel="stylesheet" href="/print.css" media="print" />;
}
