/** Posts to a response URL, and the same body in the acknowledgement of a command. */

import { parseJson } from '../../parse-json.ts';
import type { WorkspaceCore } from '../core/core.ts';
import { isJsonObject, type JsonObject } from '../core/json-object.ts';
import type { ResponseUrlGrant } from '../core/response-urls.ts';
import { isEmptyContent, type MessageContent, parseContent } from '../messages/content.ts';
import { editAsBot, postAsBot, removeMessage } from '../messages/posting.ts';
import { changeUnfurl } from '../messages/unfurled-attachment.ts';
import { type CallArguments, createCallArguments } from '../web-api/calls/arguments.ts';
import { jsonAnswer } from '../web-api/calls/json-answer.ts';
import { readThread, withLinks } from '../web-api/calls/message-arguments.ts';
import { type ApiError, type ApiReply, errorReply, okReply } from '../web-api/calls/replies.ts';

/**
 * Answers a POST to a response URL: 200 when accepted, for a command in one word (slack-sansio, pull 42), else 404. What
 * is no message at all is 400, which is assumed.
 * 404 with `invalid_blocks`: https://github.com/slackapi/java-slack-sdk/issues/1349.
 */
export async function handleResponseUrl(
  core: WorkspaceCore,
  path: string,
  request: Request,
): Promise<Response> {
  if (request.method !== 'POST') return jsonAnswer(errorReply('invalid_method'), { status: 405 });
  const body = parseJson(await request.text());
  // Looked up after the body was read, so that simultaneous posts do not share one use.
  const use = core.responseUrls.find(path);
  if (!use.ok) return jsonAnswer(errorReply(use.error), { status: 404 });
  if (!isJsonObject(body)) return jsonAnswer(errorReply('invalid_payload'), { status: 400 });
  const reply = applyResponse(core, use.right, body);
  if (!reply.ok) return jsonAnswer(reply, { status: 404 });
  use.spend();
  return use.right.kind === 'commands' ? new Response('ok') : jsonAnswer(reply);
}

/** Applies a response: posts a message, or replaces or deletes the original. */
export function applyResponse(core: WorkspaceCore, right: ResponseUrlGrant, body: JsonObject): ApiReply {
  const args = createCallArguments(body);
  const read = parseContent(args, core);
  if (!read.ok) return read;
  const content = withLinks(args, core, read.content, 'groups');
  const original = right.original === null ? undefined : core.timeline.get(right.channel, right.original);
  if (args.flag('delete_original')) {
    if (original) removeOriginal(core, original, right);
    if (isEmptyContent(content)) return okReply();
  } else if (replaces(args) && right.original !== null) {
    if (!original) return errorReply('message_not_found');
    return replaceOriginal(core, original, content, right);
  }
  if (isEmptyContent(content)) return errorReply('no_text');
  const thread = readThread(args, core, right.channel);
  if (!thread.ok) return thread;
  postAsBot(core, {
    channel: right.channel,
    content,
    response: true,
    threadTs: thread.value,
    // A response is private unless it says otherwise (docs.slack.dev/interactivity/handling-user-interaction).
    onlyFor: args.text('response_type') === 'in_channel' ? null : right.user,
  });
  return okReply();
}

/** An answer in a thread also replaces, unless it says otherwise (docs.slack.dev/interactivity/handling-user-interaction). */
function replaces(args: CallArguments): boolean {
  return args.flag('replace_original') || (args.has('thread_ts') && !args.denied('replace_original'));
}

type Original = Parameters<typeof editAsBot>[1];

/** Of a person's message, only what the app shows for a link in it is the app's. */
function removeOriginal(core: WorkspaceCore, original: Original, { unfurl }: ResponseUrlGrant): void {
  if (unfurl === undefined) removeMessage(core, original);
  else changeUnfurl(core, original, unfurl, null);
}

/**
 * Replaces the whole message, but an ephemeral one stays ephemeral, and metadata stays unless it was sent; or what a link
 * shows (getsentry/sentry, integrations/slack/webhooks/action.py: “use the original response_url to update the link
 * attachment”).
 */
function replaceOriginal(
  core: WorkspaceCore,
  original: Original,
  content: MessageContent,
  { unfurl }: ResponseUrlGrant,
): ApiReply | ApiError {
  if (isEmptyContent(content)) return errorReply('no_text');
  if (unfurl === undefined) editAsBot(core, original, { text: '', blocks: [], attachments: [], ...content });
  else changeUnfurl(core, original, unfurl, asAttachment(content));
  return okReply();
}

/** The text beside blocks is their fallback, as it is in a message. */
function asAttachment({ text, blocks = [], attachments = [] }: MessageContent): JsonObject {
  if (blocks.length > 0) return { blocks, ...(text === undefined ? {} : { fallback: text }) };
  return { ...attachments[0], ...(text === undefined ? {} : { text }) };
}
