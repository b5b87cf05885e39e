/**
 * What a person wrote, from the blocks of the message event: its `text` has the names of emoji, which cannot be told from the
 * same characters typed as they are. In the form of `text` otherwise, so that there is one form to read.
 */
import { z } from 'zod';

const styleSchema = z
  .object({ code: z.boolean(), bold: z.boolean(), italic: z.boolean(), strike: z.boolean() })
  .partial();
const MARKS = [
  ['code', '`'],
  ['strike', '~'],
  ['italic', '_'],
  ['bold', '*'],
] as const;

/** The elements of a line (docs.slack.dev/reference/block-kit/blocks/rich-text-block). */
const partSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: z.string(), style: styleSchema.optional() }),
  z.object({ type: z.literal('emoji'), name: z.string(), unicode: z.string().optional() }),
  z.object({ type: z.literal('user'), user_id: z.string() }),
  z.object({ type: z.literal('channel'), channel_id: z.string() }),
  z.object({ type: z.literal('usergroup'), usergroup_id: z.string() }),
  z.object({ type: z.literal('broadcast'), range: z.string() }),
  z.object({ type: z.literal('link'), url: z.string(), text: z.string().optional() }),
]);
const lineSchema = z.object({
  type: z.enum(['rich_text_section', 'rich_text_quote', 'rich_text_preformatted']),
  elements: z.array(partSchema),
});
const listSchema = z.object({ type: z.literal('rich_text_list'), elements: z.array(lineSchema) });
const blocksSchema = z.tuple([
  z.object({ type: z.literal('rich_text'), elements: z.array(z.union([lineSchema, listSchema])) }),
]);

type Part = z.output<typeof partSchema>;

/** The text of the message; null where the blocks are not one rich text whose every part is known. */
export function richTextLine(blocks: unknown): string | null {
  const parsed = blocksSchema.safeParse(blocks);
  if (!parsed.success) return null;
  const [{ elements }] = parsed.data;
  const lines = elements.flatMap((one) => (one.type === 'rich_text_list' ? one.elements : [one]));
  return lines.map(lineText).join('\n');
}

function lineText({ type, elements }: z.output<typeof lineSchema>): string {
  const text = elements.map(partText).join('');
  return type === 'rich_text_preformatted' ? `\`\`\`${text}\`\`\`` : text;
}

function partText(part: Part): string {
  switch (part.type) {
    case 'text':
      return styled(escaped(part.text), part.style ?? {});
    case 'emoji':
      return emojiText(part);
    case 'user':
      return `<@${part.user_id}>`;
    case 'channel':
      return `<#${part.channel_id}>`;
    case 'usergroup':
      return `<!subteam^${part.usergroup_id}>`;
    case 'broadcast':
      return `<!${part.range}>`;
    case 'link':
      return part.text === undefined ? `<${part.url}>` : `<${escaped(part.url)}|${escaped(part.text)}>`;
  }
}

/** An emoji of the workspace has no character. */
function emojiText({ name, unicode }: Extract<Part, { type: 'emoji' }>): string {
  const points = unicode?.split('-').map((point) => Number.parseInt(point, 16)) ?? [];
  if (points.length > 0 && points.every((point) => point > 0 && point <= 0x10_ff_ff))
    return String.fromCodePoint(...points);
  return `:${name}:`;
}

/** The marks that `text` has around it: a device may be named with them. */
function styled(text: string, style: z.output<typeof styleSchema>): string {
  return MARKS.reduce(
    (inner, [name, mark]) => (style[name] === true ? `${mark}${inner}${mark}` : inner),
    text,
  );
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
