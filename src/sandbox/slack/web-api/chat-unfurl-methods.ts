/** chat.unfurl: content for links in people's messages (docs.slack.dev/reference/methods/chat.unfurl). */

import type { WorkspaceCore } from '../core/core.ts';
import { asList, isJsonObject, type JsonObject } from '../core/json-object.ts';
import { unfurlDomainOf, unfurledAttachment } from '../messages/unfurled-attachment.ts';
import { placeOfUnfurl } from '../objects/unfurl-id.ts';
import type { Message } from '../state/timeline.ts';
import { checkUnfurled } from '../validate/whole-payload-rules.ts';
import type { CallArguments } from './calls/arguments.ts';
import { botMethod, type Lookup, TIER, type WebApiMethod } from './calls/method.ts';
import { type ApiError, type ApiReply, errorReply, okReply, validationErrorReply } from './calls/replies.ts';

const SOURCES = ['composer', 'conversations_history'];

function unfurl(args: CallArguments, core: WorkspaceCore): ApiReply {
  const message = findMessage(args, core);
  if (!message.ok) return message;
  const metadataError = workObjectsError(args);
  if (metadataError) return metadataError;
  if (!args.has('unfurls')) return okReply();
  const unfurls = args.structure('unfurls');
  if (!isJsonObject(unfurls)) return errorReply('invalid_unfurls_format');
  const attachments: JsonObject[] = [];
  for (const [url, attachment] of Object.entries(unfurls)) {
    if (!isJsonObject(attachment)) return errorReply('cannot_parse_attachment');
    if (!message.value.text.includes(url.replaceAll('&', '&amp;')))
      return errorReply('cannot_unfurl_message');
    if (unfurlDomainOf(core, url) === undefined) return errorReply('cannot_unfurl_url');
    if (hidesColorOfOthers(attachment)) return errorReply('cannot_parse_attachment');
    const problems = attachment['blocks'] === undefined ? [] : checkUnfurled(attachment['blocks']);
    if (problems.length > 0) return validationErrorReply('invalid_blocks', problems);
    attachments.push(unfurledAttachment(core, url, attachment));
  }
  const named = attachments.map((attachment, index) => ({ id: index + 1, ...attachment }));
  core.timeline.change(message.value, { attachments: named });
  core.changed();
  return okReply();
}

/** "Either `unfurls` or `metadata` must be provided" (the same page); the page draws no work objects. */
function workObjectsError(args: CallArguments): ApiError | null {
  if (!args.has('metadata')) return null;
  const metadata = args.structure('metadata');
  if (!isJsonObject(metadata)) return errorReply('invalid_metadata_format');
  return Array.isArray(metadata['entities']) ? null : errorReply('error_processing_metadata');
}

/** `hide_color` beside other blocks than a file is an error, without a name on the page of the method: assumed. */
function hidesColorOfOthers({ hide_color, blocks }: JsonObject): boolean {
  return hide_color === true && asList(blocks).some(({ type }) => type !== 'file');
}

/** A message is named by `channel` and `ts`, or by `unfurl_id` and `source`. */
function findMessage(args: CallArguments, core: WorkspaceCore): Lookup<Message> {
  const isById = args.has('unfurl_id') || args.has('source');
  const content = args.has('metadata') ? 'metadata' : 'unfurls';
  const needed = isById ? ['unfurl_id', 'source', content] : ['channel', 'ts', content];
  for (const name of needed) if (!args.has(name)) return errorReply(`missing_${name}`);
  return isById ? findById(args, core) : findByPlace(args, core);
}

/** Also works where the bot is no member (docs.slack.dev/reference/events/link_shared). */
function findByPlace(args: CallArguments, core: WorkspaceCore): Lookup<Message> {
  const channel = core.directory.channel(args.text('channel') ?? '');
  return channel ? messageAt(core, channel.id, args.text('ts') ?? '') : errorReply('cannot_find_channel');
}

/** All ids of the sandbox are of posted messages: it has no drafts. */
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
