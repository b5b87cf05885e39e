/** chat.unfurl: content for links in people's messages (docs.slack.dev/reference/methods/chat.unfurl). */

import { withGeneratedIds } from '../blocks/generated-ids.ts';
import type { WorkspaceCore } from '../core/core.ts';
import { asList, isJsonObject, type JsonObject } from '../core/json-object.ts';
import { placeOfUnfurl } from '../objects/unfurl-id.ts';
import type { Message } from '../state/timeline.ts';
import type { CallArguments } from './calls/arguments.ts';
import { botMethod, type Lookup, TIER, type WebApiMethod } from './calls/method.ts';
import { type ApiReply, errorReply, okReply } from './calls/replies.ts';

const SOURCES = ['composer', 'conversations_history'];

function unfurl(args: CallArguments, core: WorkspaceCore): ApiReply {
  const message = findMessage(args, core);
  if (!message.ok) return message;
  const unfurls = args.structure('unfurls');
  if (!isJsonObject(unfurls)) return errorReply('invalid_unfurls_format');
  const attachments: JsonObject[] = [];
  for (const [url, attachment] of Object.entries(unfurls)) {
    if (!isJsonObject(attachment)) return errorReply('cannot_parse_attachment');
    if (!message.value.text.includes(url.replaceAll('&', '&amp;')))
      return errorReply('cannot_unfurl_message');
    attachments.push(unfurled(core, url, attachment));
  }
  const named = attachments.map((attachment, index) => ({ id: index + 1, ...attachment }));
  core.timeline.change(message.value, { attachments: named });
  core.changed();
  return okReply();
}

/** As an app's own (docs.slack.dev/messaging/unfurling-links-in-messages); its blocks have ids as all blocks do. */
function unfurled({ app, ids }: WorkspaceCore, url: string, attachment: JsonObject): JsonObject {
  const { blocks } = attachment;
  return {
    ...attachment,
    ...(blocks === undefined ? {} : { blocks: withGeneratedIds(asList(blocks), ids) }),
    bot_id: app.botId,
    app_id: app.appId,
    bot_team_id: app.teamId,
    app_unfurl_url: url,
    is_app_unfurl: true,
  };
}

/** A message is named by `channel` and `ts`, or by `unfurl_id` and `source`. */
function findMessage(args: CallArguments, core: WorkspaceCore): Lookup<Message> {
  const isById = args.has('unfurl_id') || args.has('source');
  const needed = isById ? ['unfurl_id', 'source', 'unfurls'] : ['channel', 'ts', 'unfurls'];
  for (const name of needed) if (!args.has(name)) return errorReply(`missing_${name}`);
  return isById ? findById(args, core) : findByPlace(args, core);
}

function findByPlace(args: CallArguments, core: WorkspaceCore): Lookup<Message> {
  const channel = core.directory.channel(args.text('channel') ?? '');
  if (!channel?.members.has(core.app.botUser)) return errorReply('cannot_find_channel');
  return messageAt(core, channel.id, args.text('ts') ?? '');
}

/** Also works where the bot is no member. All ids of the sandbox are of posted messages: it has no drafts. */
function findById(args: CallArguments, core: WorkspaceCore): Lookup<Message> {
  const source = args.text('source') ?? '';
  if (!SOURCES.includes(source)) return errorReply('invalid_source');
  const place = placeOfUnfurl(args.text('unfurl_id') ?? '');
  if (!place || source === 'composer') return errorReply('invalid_unfurl_id');
  return messageAt(core, place.channel, place.ts);
}

function messageAt(core: WorkspaceCore, channel: string, ts: string): Lookup<Message> {
  const message = core.timeline.get(channel, ts);
  return message?.onlyFor === null ? { ok: true, value: message } : errorReply('cannot_find_message');
}

export const chatUnfurlMethods: readonly WebApiMethod[] = [
  botMethod('chat.unfurl', TIER.three, ['links:write'], unfurl),
];
