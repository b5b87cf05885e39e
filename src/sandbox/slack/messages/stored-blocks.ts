/** Blocks that were sent, as they are stored. */
import { withGeneratedIds } from '../blocks/generated-ids.ts';
import type { WorkspaceCore } from '../core/core.ts';
import { isJsonObject, type JsonObject } from '../core/json-object.ts';
import { withNameLinks } from './typed-text.ts';

/**
 * With ids, and with links for the names in texts that are not verbatim
 * (docs.slack.dev/messaging/formatting-message-text, “Automatic parsing”).
 */
export function storedBlocks(core: WorkspaceCore, blocks: readonly JsonObject[]): readonly JsonObject[] {
  return withGeneratedIds(
    blocks.map((block) => linkedObject(core, block)),
    core.ids,
  );
}

function linkedObject(core: WorkspaceCore, object: JsonObject): JsonObject {
  const { type, text, verbatim } = object;
  if (type === 'mrkdwn' && typeof text === 'string')
    return verbatim === true ? object : { ...object, text: withNameLinks(core, text, 'groups') };
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, linked(core, value)]));
}

function linked(core: WorkspaceCore, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((each) => linked(core, each));
  return isJsonObject(value) ? linkedObject(core, value) : value;
}
