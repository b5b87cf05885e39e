/** Generated parts of hand-written pages, between two comments that Markdown does not show. */

export type Region = { readonly name: string; readonly body: string };

/** The page with the bodies of its regions; throws where the page lacks one of them. */
export function withRegions(page: string, regions: readonly Region[]): string {
  return regions.reduce((text, { name, body }) => {
    const { start, end } = boundsOf(text, name);
    return `${text.slice(0, start)}\n\n${body}\n\n${text.slice(end)}`;
  }, page);
}

function boundsOf(text: string, name: string): { readonly start: number; readonly end: number } {
  const open = `<!-- begin ${name} (npm run docs) -->`;
  const start = text.indexOf(open) + open.length;
  const close = text.indexOf(`<!-- end ${name} -->`, start);
  if (start < open.length || close === -1) throw new Error(`the page has no region ${name}`);
  // Its indentation stays: without it, it would end the list that it is in.
  return { start, end: text.lastIndexOf('\n', close) + 1 };
}
