/** chat.unfurl: what a link in somebody's message shows (docs.slack.dev/reference/methods/chat.unfurl). */
import type { Arguments } from '../arguments.ts';
import type { Core } from '../core.ts';
import { type Fields, isFields } from '../json.ts';
import { done, type Reply, refuse } from '../reply.ts';
import { botMethod, type Method, TIER } from './method.ts';

function unfurl(args: Arguments, core: Core): Reply {
  for (const name of ['channel', 'ts', 'unfurls']) if (!args.has(name)) return refuse(`missing_${name}`);
  const channel = core.directory.channel(args.text('channel') ?? '');
  if (!channel?.members.has(core.app.botUser)) return refuse('cannot_find_channel');
  const message = core.timeline.get(channel.id, args.text('ts') ?? '');
  if (!message || message.onlyFor !== null) return refuse('cannot_find_message');
  const unfurls = args.structure('unfurls');
  if (!isFields(unfurls)) return refuse('invalid_unfurls_format');
  const attachments: Fields[] = [];
  for (const [url, attachment] of Object.entries(unfurls)) {
    if (!isFields(attachment)) return refuse('cannot_parse_attachment');
    if (!message.text.includes(url.replaceAll('&', '&amp;'))) return refuse('cannot_unfurl_message');
    attachments.push({ ...attachment, from_url: url, original_url: url, is_app_unfurl: true });
  }
  const named = attachments.map((attachment, index) => ({ id: index + 1, ...attachment }));
  core.timeline.change(message, { attachments: named });
  core.changed();
  return done();
}

export const chatUnfurlMethods: readonly Method[] = [
  botMethod('chat.unfurl', TIER.three, ['links:write'], unfurl),
];
