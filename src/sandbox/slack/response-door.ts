/** What the bot sends to a response URL, and the same body as the acknowledgement of a command. */

import { parseJson } from '../json.ts';
import { createArguments } from './arguments.ts';
import { type Content, isEmpty, readContent } from './content.ts';
import type { Core } from './core.ts';
import { type Fields, isFields } from './json.ts';
import { editAsBot, postAsBot, removeMessage } from './posting.ts';
import { done, type Refusal, type Reply, refuse } from './reply.ts';
import type { ResponseRight } from './response-urls.ts';
import { seekThread } from './web-api/drafts.ts';

/** Answers a POST to a response URL: HTTP 200 when it was taken, else 404 (the URL) or 400 (the message). */
export async function answerResponse(core: Core, path: string, request: Request): Promise<Response> {
  if (request.method !== 'POST') return Response.json(refuse('invalid_method'), { status: 405 });
  const body = parseJson(await request.text());
  // Looked up only now, so that bodies that come at the same time do not share one use.
  const use = core.responseUrls.find(path);
  if (!use.ok) return Response.json(refuse(use.error), { status: 404 });
  const reply = isFields(body) ? respond(core, use.right, body) : refuse('invalid_payload');
  if (!reply.ok) return Response.json(reply, { status: 400 });
  use.spend();
  return Response.json(reply);
}

/** Carries out a response: new message, replacement or removal of the original. */
export function respond(core: Core, right: ResponseRight, body: Fields): Reply {
  const args = createArguments(body);
  const read = readContent(args, core.ids);
  if (!read.ok) return read;
  const original = right.original === null ? undefined : core.timeline.get(right.channel, right.original);
  if (args.flag('delete_original')) {
    if (original) removeMessage(core, original);
    if (isEmpty(read.content)) return done();
  } else if (args.flag('replace_original') && right.original !== null) {
    if (!original) return refuse('message_not_found');
    return replace(core, original, read.content);
  }
  if (isEmpty(read.content)) return refuse('no_text');
  const thread = seekThread(args, core, right.channel);
  if (!thread.ok) return thread;
  postAsBot(core, {
    channel: right.channel,
    content: read.content,
    threadTs: thread.value,
    // A response is private unless it says otherwise (docs.slack.dev/interactivity/handling-user-interaction).
    onlyFor: args.text('response_type') === 'in_channel' ? null : right.user,
  });
  return done();
}

/** The whole message is replaced, but an ephemeral one stays ephemeral and metadata stays unless sent. */
function replace(core: Core, original: Parameters<typeof editAsBot>[1], content: Content): Reply | Refusal {
  if (isEmpty(content)) return refuse('no_text');
  editAsBot(core, original, { text: '', blocks: [], attachments: [], ...content });
  return done();
}
