/** files.getUploadURLExternal, files.completeUploadExternal, files.info. */
import { type Arguments, createArguments } from '../arguments.ts';
import { type Content, isEmpty, readContent } from '../content.ts';
import type { Core } from '../core.ts';
import { isFields, wordOf } from '../json.ts';
import { fileObject } from '../objects/files.ts';
import { postAsBot } from '../posting.ts';
import { done, missingArgument, type Reply, refuse } from '../reply.ts';
import type { Channel } from '../state/directory.ts';
import type { StoredFile } from '../state/files.ts';
import { seekThread } from './drafts.ts';
import { botMethod, type Method, type Sought, TIER } from './method.ts';

/** This workspace's own restriction; Slack's is a gigabyte. */
export const LARGEST_FILE = 16 * 1024 * 1024;
/** docs.slack.dev/reference/methods/files.getUploadURLExternal */
const LARGEST_SNIPPET = 1024 * 1024;
const ALT_TEXT_MAX = 1_000;
/** docs.slack.dev/reference/methods/files.completeUploadExternal */
const MOST_CHANNELS = 100;

function getUploadUrl(args: Arguments, core: Core): Reply {
  const name = args.text('filename');
  if (name === undefined) return missingArgument('filename');
  const size = args.number('length');
  if (size === undefined) return missingArgument('length');
  if (size === 0) return refuse('missing_argument');
  if (!Number.isSafeInteger(size) || size < 0) return refuse('invalid_arguments');
  if (size > LARGEST_FILE) return refuse('file_upload_size_restricted');
  const snippetType = args.text('snippet_type') ?? null;
  if (snippetType !== null && size > LARGEST_SNIPPET) return refuse('snippet_too_large');
  // The documentation says alt_txt, Slack's own client alt_text.
  const altText = args.text('alt_txt') ?? args.text('alt_text') ?? null;
  if ((altText ?? '').length > ALT_TEXT_MAX) return refuse('alt_txt_too_large');
  const { id, url } = core.files.expect({ name, size, altText, snippetType });
  return done({ upload_url: url, file_id: id });
}

type Titled = { readonly file: StoredFile; readonly title: string };

function seekFiles(args: Arguments, core: Core): Sought<readonly Titled[]> {
  if (!args.has('files')) return missingArgument('files');
  const sent = args.structure('files');
  if (!Array.isArray(sent) || sent.length === 0 || !sent.every(isFields)) return refuse('invalid_arguments');
  const found: Titled[] = [];
  for (const { id, title } of sent) {
    const file = core.files.get(wordOf(id));
    if (!file || file.bytes === null || file.finished) return refuse('file_not_found');
    found.push({ file, title: typeof title === 'string' && title !== '' ? title : file.name });
  }
  return { ok: true, value: found };
}

/** The conversations to share in; none leaves the files private. */
function seekPlaces(args: Arguments, core: Core): Sought<readonly Channel[]> {
  const { directory } = core;
  const id = args.text('channel_id');
  const words =
    args
      .text('channels')
      ?.split(',')
      .map((word) => word.trim()) ?? [];
  if (words.length > MOST_CHANNELS) return refuse('channels_limit_exceeded');
  if (args.has('thread_ts') && words.length > 1) return refuse('invalid_arguments');
  const people = directory.people();
  const named = words.map((word) => {
    const person = people.find((each) => each.id === word);
    return person ? directory.direct(person) : directory.channel(word);
  });
  const sought = id === undefined ? named : [directory.channel(id)];
  const places = sought.filter((channel) => channel !== undefined);
  if (places.length < sought.length)
    return refuse(id === undefined ? 'invalid_channel' : 'channel_not_found');
  if (places.some(({ members }) => !members.has(core.app.botUser))) return refuse('not_in_channel');
  if (places.some(({ archived }) => archived)) return refuse('posting_to_channel_denied');
  return { ok: true, value: places };
}

/** What introduces the files; `blocks` count only without `initial_comment`. */
function seekComment(args: Arguments, core: Core): Sought<Content> {
  const comment = args.text('initial_comment');
  if (comment !== undefined) return { ok: true, value: { text: comment } };
  const { blocks } = args.all;
  const read = readContent(createArguments(blocks === undefined ? {} : { blocks }), core.ids);
  if (!read.ok) return refuse('invalid_blocks');
  return { ok: true, value: isEmpty(read.content) ? {} : read.content };
}

function complete(args: Arguments, core: Core): Reply {
  const files = seekFiles(args, core);
  if (!files.ok) return files;
  const places = seekPlaces(args, core);
  if (!places.ok) return places;
  const content = seekComment(args, core);
  if (!content.ok) return content;
  const [place] = places.value;
  const thread = place ? seekThread(args, core, place.id) : ({ ok: true, value: undefined } as const);
  if (!thread.ok) return thread;
  const finished = files.value.map(({ file, title }) => core.files.finish(file, title));
  const ids = finished.map(({ id }) => id);
  for (const { id: channel } of places.value) {
    const message = postAsBot(core, { channel, content: content.value, threadTs: thread.value, files: ids });
    for (const id of ids) core.files.share(id, channel, message.ts);
  }
  const shared = ids.map((id) => core.files.get(id)).filter((file) => file !== undefined);
  return done({ files: shared.map((file) => fileObject(core, file)) });
}

function info(args: Arguments, core: Core): Reply {
  const id = args.text('file');
  if (id === undefined) return missingArgument('file');
  const file = core.files.get(id);
  if (!file?.finished) return refuse('file_not_found');
  return done({ file: fileObject(core, file), comments: [], response_metadata: { next_cursor: '' } });
}

export const fileMethods: readonly Method[] = [
  botMethod('files.getUploadURLExternal', TIER.four, ['files:write'], getUploadUrl),
  botMethod('files.completeUploadExternal', TIER.four, ['files:write'], complete),
  botMethod('files.info', TIER.four, ['files:read'], info),
];
