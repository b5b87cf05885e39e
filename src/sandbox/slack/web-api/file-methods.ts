/** files.getUploadURLExternal, files.completeUploadExternal. */

import type { WorkspaceCore } from '../core/core.ts';
import { asString, isJsonObject } from '../core/json-object.ts';
import { postAsBot } from '../messages/posting.ts';
import { withAddressLinks } from '../messages/typed-text.ts';
import { fileObject } from '../objects/messages-and-views.ts';
import type { Channel } from '../state/directory.ts';
import type { StoredFile } from '../state/file-store.ts';
import { patternRule } from '../validate/rules.ts';
import {
  type ApiReply,
  botMethod,
  type CallArguments,
  errorReply,
  formMethod,
  type Lookup,
  missingArgumentReply,
  okReply,
  TIER,
  validationErrorReply,
  type WebApiMethod,
} from './calls.ts';

/** This workspace's own limit; Slack's is a gigabyte. */
export const MAX_FILE_BYTES = 16 * 1024 * 1024;

function getUploadUrl(args: CallArguments, core: WorkspaceCore): ApiReply {
  const name = args.text('filename');
  if (name === undefined) return missingArgumentReply('filename');
  const size = args.number('length');
  if (size === undefined) return missingArgumentReply('length');
  if (size === 0) return errorReply('missing_argument');
  if (!Number.isSafeInteger(size) || size < 0) return errorReply('invalid_arguments');
  if (size > MAX_FILE_BYTES) return errorReply('file_upload_size_restricted');
  const { id, url } = core.files.expect({ user: core.app.botUser, name, size });
  return okReply({ upload_url: url, file_id: id });
}

type Titled = { readonly file: StoredFile; readonly title: string };

function readFiles(args: CallArguments, core: WorkspaceCore): Lookup<readonly Titled[]> {
  if (!args.has('files')) return missingArgumentReply('files');
  const sent = args.structure('files');
  if (!Array.isArray(sent) || sent.length === 0 || !sent.every(isJsonObject))
    return errorReply('invalid_arguments');
  const found: Titled[] = [];
  for (const { id, title } of sent) {
    const file = core.files.get(asString(id));
    if (!file || file.bytes === null || file.finished) return errorReply('file_not_found');
    found.push({ file, title: typeof title === 'string' && title !== '' ? title : file.name });
  }
  return { ok: true, value: found };
}

/** No person: https://github.com/slackapi/bolt-js/issues/2115. */
const conversationId = patternRule(/^[CGDZ][A-Z0-9]{8,}$/);

function readChannel(args: CallArguments, core: WorkspaceCore): Lookup<Channel> {
  const id = args.text('channel_id');
  if (id === undefined) return missingArgumentReply('channel_id');
  const problems = conversationId(id, '/channel_id');
  if (problems.length > 0) return validationErrorReply('invalid_arguments', problems);
  const channel = core.directory.channel(id);
  if (!channel) return errorReply('channel_not_found');
  if (!channel.members.has(core.app.botUser)) return errorReply('not_in_channel');
  return channel.archived ? errorReply('posting_to_channel_denied') : { ok: true, value: channel };
}

/** Slack looks at a file and shares it only after its answer (github.com/slackapi/python-slack-sdk/issues/1575). */
const UNPROCESSED = {
  mimetype: '',
  filetype: '',
  pretty_type: '',
  channels: [],
  groups: [],
  ims: [],
};

function complete(args: CallArguments, core: WorkspaceCore): ApiReply {
  const files = readFiles(args, core);
  if (!files.ok) return files;
  const place = readChannel(args, core);
  if (!place.ok) return place;
  const finished = files.value.map(({ file, title }) => core.files.finish(file, title));
  const ids = finished.map(({ id }) => id);
  const comment = args.text('initial_comment');
  const channel = place.value.id;
  const message = postAsBot(core, {
    channel,
    content: comment === undefined ? {} : { text: withAddressLinks(comment) },
    files: ids,
  });
  for (const id of ids) core.files.share(id, channel, message.ts);
  const shared = ids.map((id) => core.files.get(id)).filter((file) => file !== undefined);
  return okReply({ files: shared.map((file) => ({ ...fileObject(core, file), ...UNPROCESSED })) });
}

export const fileMethods: readonly WebApiMethod[] = [
  formMethod('files.getUploadURLExternal', TIER.four, ['files:write'], getUploadUrl),
  botMethod('files.completeUploadExternal', TIER.four, ['files:write'], complete),
];
