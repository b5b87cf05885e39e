/** files.getUploadURLExternal, files.completeUploadExternal. */

import type { WorkspaceCore } from '../core/core.ts';
import { asString, isJsonObject } from '../core/json-object.ts';
import { isEmptyContent, type MessageContent, parseContent } from '../messages/content.ts';
import { postAsBot } from '../messages/posting.ts';
import { withAddressLinks } from '../messages/typed-text.ts';
import { fileObject } from '../objects/file-object.ts';
import type { Channel } from '../state/directory.ts';
import type { StoredFile } from '../state/file-store.ts';
import { patternRule } from '../validate/rule-builders.ts';
import { type CallArguments, createCallArguments } from './calls/arguments.ts';
import { readThread } from './calls/message-arguments.ts';
import { botMethod, formMethod, type Lookup, TIER, type WebApiMethod } from './calls/method.ts';
import {
  type ApiReply,
  errorReply,
  missingArgumentReply,
  okReply,
  validationErrorReply,
} from './calls/replies.ts';

/** This workspace's own limit; Slack's is a gigabyte. */
export const MAX_FILE_BYTES = 16 * 1024 * 1024;
/** docs.slack.dev/reference/methods/files.getUploadURLExternal */
const MAX_SNIPPET_BYTES = 1024 * 1024;
const MAX_ALT_TEXT = 1_000;
/** docs.slack.dev/reference/methods/files.completeUploadExternal */
const MAX_CHANNELS = 100;
const MAX_HIGHLIGHT_TYPE = 10;

function getUploadUrl(args: CallArguments, core: WorkspaceCore): ApiReply {
  const name = args.text('filename');
  if (name === undefined) return missingArgumentReply('filename');
  const size = args.number('length');
  if (size === undefined) return missingArgumentReply('length');
  if (size === 0) return errorReply('missing_argument');
  if (!Number.isSafeInteger(size) || size < 0) return errorReply('invalid_arguments');
  if (size > MAX_FILE_BYTES) return errorReply('file_upload_size_restricted');
  const snippetType = args.text('snippet_type') ?? null;
  if (snippetType !== null && size > MAX_SNIPPET_BYTES) return errorReply('snippet_too_large');
  // The documentation says alt_txt, Slack's own client alt_text.
  const altText = args.text('alt_txt') ?? args.text('alt_text') ?? null;
  if ((altText ?? '').length > MAX_ALT_TEXT) return errorReply('alt_txt_too_large');
  const { id, url } = core.files.expect({ user: core.app.botUser, name, size, altText, snippetType });
  return okReply({ upload_url: url, file_id: id });
}

type Titled = { readonly file: StoredFile; readonly title: string };

function readFiles(args: CallArguments, core: WorkspaceCore): Lookup<readonly Titled[]> {
  if (!args.has('files')) return missingArgumentReply('files');
  const sent = args.structure('files');
  if (!Array.isArray(sent) || sent.length === 0 || !sent.every(isJsonObject))
    return errorReply('invalid_arguments');
  const found: Titled[] = [];
  for (const { id, title, highlight_type } of sent) {
    if (asString(highlight_type).length > MAX_HIGHLIGHT_TYPE) return errorReply('invalid_arguments');
    const file = core.files.get(asString(id));
    if (!file || file.bytes === null || file.finished) return errorReply('file_not_found');
    found.push({ file, title: typeof title === 'string' && title !== '' ? title : file.name });
  }
  return { ok: true, value: found };
}

/** No person: https://github.com/slackapi/bolt-js/issues/2115. */
const conversationId = patternRule(/^[CGDZ][A-Z0-9]{8,}$/);

/** The conversations to share the files in; none leaves them private. */
function readChannels(args: CallArguments, core: WorkspaceCore): Lookup<readonly Channel[]> {
  const { directory } = core;
  const id = args.text('channel_id');
  const words =
    args
      .text('channels')
      ?.split(',')
      .map((word) => word.trim()) ?? [];
  const problems = id === undefined ? [] : conversationId(id, '/channel_id');
  if (problems.length > 0) return validationErrorReply('invalid_arguments', problems);
  if (words.length > MAX_CHANNELS) return errorReply('channels_limit_exceeded');
  if (args.has('thread_ts') && words.length > 1) return errorReply('invalid_arguments');
  const people = directory.people();
  const named = words.map((word) => {
    const person = people.find((each) => each.id === word);
    return person ? directory.direct(person) : directory.channel(word);
  });
  const lookup = id === undefined ? named : [directory.channel(id)];
  const places = lookup.filter((channel) => channel !== undefined);
  if (places.length < lookup.length)
    return errorReply(id === undefined ? 'invalid_channel' : 'channel_not_found');
  if (places.some(({ members }) => !members.has(core.app.botUser))) return errorReply('not_in_channel');
  if (places.some(({ archived }) => archived)) return errorReply('posting_to_channel_denied');
  return { ok: true, value: places };
}

/** The comment with the files; `blocks` count only without `initial_comment`. */
function readComment(args: CallArguments, core: WorkspaceCore): Lookup<MessageContent> {
  const comment = args.text('initial_comment');
  if (comment !== undefined) return { ok: true, value: { text: withAddressLinks(comment) } };
  const { blocks } = args.all;
  const read = parseContent(createCallArguments(blocks === undefined ? {} : { blocks }), core);
  if (!read.ok) return errorReply('invalid_blocks');
  return { ok: true, value: isEmptyContent(read.content) ? {} : read.content };
}

/** Slack looks at a file and shares it only after its answer (github.com/slackapi/python-slack-sdk/issues/1575). */
const UNPROCESSED = {
  mimetype: '',
  filetype: '',
  pretty_type: '',
  channels: [],
  groups: [],
  ims: [],
  shares: {},
};

function complete(args: CallArguments, core: WorkspaceCore): ApiReply {
  const files = readFiles(args, core);
  if (!files.ok) return files;
  const places = readChannels(args, core);
  if (!places.ok) return places;
  const content = readComment(args, core);
  if (!content.ok) return content;
  const [place] = places.value;
  const thread = place ? readThread(args, core, place.id) : ({ ok: true, value: undefined } as const);
  if (!thread.ok) return thread;
  const finished = files.value.map(({ file, title }) => core.files.finish(file, title));
  const ids = finished.map(({ id }) => id);
  for (const { id: channel } of places.value) {
    const message = postAsBot(core, { channel, content: content.value, threadTs: thread.value, files: ids });
    for (const id of ids) core.files.share(id, channel, message.ts);
  }
  const shared = ids.map((id) => core.files.get(id)).filter((file) => file !== undefined);
  return okReply({ files: shared.map((file) => ({ ...fileObject(core, file), ...UNPROCESSED })) });
}

export const fileMethods: readonly WebApiMethod[] = [
  formMethod('files.getUploadURLExternal', TIER.four, ['files:write'], getUploadUrl),
  botMethod('files.completeUploadExternal', TIER.four, ['files:write'], complete),
];
