/**
 * What a person typed into a rich text input, which is “the same messaging writing experience as in Slack”
 * (docs.slack.dev/reference/block-kit/block-elements): names, addresses and emoji become elements of their own.
 */
import type { WorkspaceCore } from '../core/core.ts';
import { asJsonObject, asList, asString, type JsonObject } from '../core/json-object.ts';
import { typedParts, withEntities } from '../messages/typed-text.ts';
import { withEmojiNames } from '../objects/emoji-names.ts';

export function typedRichText(core: WorkspaceCore, part: JsonObject, user: string): JsonObject {
  const { type, elements } = part;
  // Code stays as it was typed.
  if (type === 'rich_text_preformatted' || !Array.isArray(elements)) return part;
  return {
    ...part,
    elements: asList(elements).flatMap((each) =>
      each['type'] === 'text' ? typedText(core, each, user) : typedRichText(core, each, user),
    ),
  };
}

function typedText(core: WorkspaceCore, part: JsonObject, user: string): readonly JsonObject[] {
  const style = asJsonObject(part['style']);
  if (style['code'] === true) return [part];
  const parts = typedParts(withEmojiNames(withEntities(core, asString(part['text']), user)));
  if (Object.keys(style).length === 0) return parts;
  return parts.map((each) => ({ ...each, style: { ...style, ...asJsonObject(each['style']) } }));
}
