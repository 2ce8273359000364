/** An address that breaks before its @, rather than within a word. */
export function EmailAddress({ children }: { children: string }) {
  const [name, domain = ''] = children.split(/(?=@)/);
  return (
    <>
      {name}
      <wbr />
      {domain}
    </>
  );
}
