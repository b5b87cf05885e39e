/** The workspace's HTTP server: the Web API, uploads and response URLs. */

import { Hono, type MiddlewareHandler } from 'hono';
import { parseJson } from '../../parse-json.ts';
import type { WorkspaceCore } from '../core/core.ts';
import type { ResponseUrlGrant } from '../core/interaction-grants.ts';
import { isJsonObject, type JsonObject } from '../core/json-object.ts';
import {
  changeUnfurl,
  editAsBot,
  isEmptyContent,
  type MessageContent,
  parseContent,
  postAsBot,
} from '../messages/posting.ts';
import type { Message } from '../state/timeline.ts';
import { type ApiReply, createCallArguments, errorReply, jsonAnswer, okReply } from '../web-api/calls.ts';
import { readThread } from '../web-api/channel-access.ts';
import { MAX_FILE_BYTES } from '../web-api/file-methods.ts';
import type { WebApi } from '../web-api/web-api.ts';

const MAX_BODY_BYTES = 4 * 1024 * 1024;

export function createWorkspaceHttp(
  core: WorkspaceCore,
  webApi: WebApi,
): (request: Request) => Response | Promise<Response> {
  const app = new Hono();
  app.post('/upload/v1/:ticket', limited(MAX_FILE_BYTES), ({ req }) => receiveFile(core, req.path, req.raw));
  app.use(limited(MAX_BODY_BYTES));
  app.post('/api/:method', ({ req }) => webApi.answer(req.param('method'), req.raw));
  app.all('/:kind{commands|actions|app}/:team/:id/:secret', ({ req }) =>
    handleResponseUrl(core, req.path, req.raw),
  );
  return (request) => app.fetch(request);
}

/** Accepts raw bytes; any status but 200 is a failure. */
async function receiveFile(core: WorkspaceCore, path: string, request: Request): Promise<Response> {
  const bytes = new Uint8Array(await request.arrayBuffer());
  switch (core.files.receive(path, bytes)) {
    case 'taken':
      return new Response(`OK - ${bytes.length}`);
    case 'wrong_size':
      return new Response('the size is not the announced length', { status: 400 });
    case 'unknown':
      return new Response('unknown upload', { status: 404 });
  }
}

/**
 * A declared length is trusted, because node:http reads no further; such a body is not wrapped, because streams took
 * most of the memory of a busy workspace (measured). A chunked body is counted.
 */
function limited(maxSize: number): MiddlewareHandler {
  return async (context, next) => {
    const { raw } = context.req;
    const tooLarge = () => context.text('Payload Too Large', 413);
    const declared = raw.headers.get('content-length');
    if (declared !== null) return Number(declared) <= maxSize ? next() : tooLarge();
    if (!raw.headers.has('transfer-encoding')) return next();
    const body = await readUpTo(maxSize, raw);
    if (body === null) return tooLarge();
    context.req.raw = new Request(raw.url, { method: raw.method, headers: raw.headers, body });
    return next();
  };
}

async function readUpTo(maxSize: number, { body }: Request): Promise<Blob | null> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.byteLength;
    if (size > maxSize) return null;
    chunks.push(chunk);
  }
  return new Blob(chunks);
}

/**
 * Answers a POST to a response URL: 200 when accepted, for a command in one word (slack-sansio, pull 42), else 404. What
 * is no message at all is 400, which is assumed.
 * 404 with `invalid_blocks`: https://github.com/slackapi/java-slack-sdk/issues/1349.
 */
async function handleResponseUrl(core: WorkspaceCore, path: string, request: Request): Promise<Response> {
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

/** Posts a message, or replaces the original. */
function applyResponse(core: WorkspaceCore, right: ResponseUrlGrant, body: JsonObject): ApiReply {
  const args = createCallArguments(body);
  const read = parseContent(args, core);
  if (!read.ok) return read;
  const { content } = read;
  if (isEmptyContent(content)) return errorReply('no_text');
  if (args.flag('replace_original') && right.original !== null) {
    const original = core.timeline.get(right.channel, right.original);
    if (!original) return errorReply('message_not_found');
    replaceOriginal(core, original, content, right);
    return okReply();
  }
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

/**
 * Replaces the whole message, but an ephemeral one stays ephemeral, and metadata stays unless it was sent. Of a person's
 * message only what a link shows is the app's (getsentry/sentry, integrations/slack/webhooks/action.py: “use the original
 * response_url to update the link attachment”).
 */
function replaceOriginal(
  core: WorkspaceCore,
  original: Message,
  content: MessageContent,
  { unfurl }: ResponseUrlGrant,
): void {
  const { text, blocks = [] } = content;
  if (unfurl === undefined) editAsBot(core, original, { text: '', blocks: [], ...content });
  // The text beside blocks is their fallback, as it is in a message.
  else changeUnfurl(core, original, unfurl, { blocks, ...(text === undefined ? {} : { fallback: text }) });
}
