/** An address that wraps before its @, not within a word. */
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
