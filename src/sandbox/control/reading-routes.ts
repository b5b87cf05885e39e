/** What the page reads besides the contract's calls: parts of channels, conversations, files, the bot's health. */
import { Hono } from 'hono';
import { z } from 'zod';
import type { ExcerptQuery, ManagementService, Workspace } from '../contracts/services.ts';
import { nameSchemas } from './name-schemas.ts';
import { badRequestAnswer, validateBody, validateQuery } from './validation.ts';

const TS = /^\d{1,12}\.\d{6}$/;
const MAX_PAGE_SIZE = 1000;
/** More suggestions do not help somebody who types. */
const MAX_DEVICE_OPTIONS = 20;

const ts = z.string().regex(TS, { error: 'must be the ts of a message' });
const excerptSchema = {
  limit: z.coerce.number().int().min(1).max(MAX_PAGE_SIZE).exactOptional(),
  before: ts.exactOptional(),
  after: ts.exactOptional(),
  thread: ts.exactOptional(),
  replies: z
    .enum(['true', 'false'])
    .transform((text) => text === 'true')
    .exactOptional(),
  since: z.coerce.number().int().min(0).exactOptional(),
};

/** `GET /messages`: a whole channel, or a part of it with any of the optional parameters. */
export function readingRoutes(workspace: Workspace): Hono {
  const { user, channel } = nameSchemas(workspace);
  return new Hono()
    .get(
      '/messages',
      validateQuery(z.object({ user, channel, ...excerptSchema }), (input, context) => {
        const read = isExcerptRequest(input) ? workspace.excerpt(input) : wholeChannel(workspace, input);
        return read ?? context.json(badRequestAnswer(`${input.user} cannot see ${input.channel}`), 400);
      }),
    )
    .get(
      '/conversations',
      validateQuery(z.object({ user }), ({ user }) => ({ conversations: workspace.conversations(user) })),
    )
    .get(
      '/file',
      validateQuery(z.object({ user, id: z.string().min(1) }), (input, context) => {
        const file = workspace.file(input);
        if (file === null)
          return context.json(badRequestAnswer(`${input.user} cannot see file ${input.id}`), 404);
        return downloadResponse(file.name, file.bytes);
      }),
    )
    .post('/join', validateBody(z.object({ user, channel }), workspace.join));
}

function wholeChannel(workspace: Workspace, input: ExcerptQuery) {
  const messages = workspace.messages(input);
  return messages === null ? null : { messages };
}

function isExcerptRequest({ user: _user, channel: _channel, ...options }: ExcerptQuery): boolean {
  return Object.keys(options).length > 0;
}

/** Always downloaded, so that no file runs in the page's origin. */
function downloadResponse(name: string, bytes: Uint8Array<ArrayBuffer>): Response {
  return new Response(bytes, {
    headers: {
      'content-type': 'application/octet-stream',
      'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(name)}`,
      'x-content-type-options': 'nosniff',
    },
  });
}

/** `GET /devices`: devices whose names contain the typed text. */
export function deviceRoutes(management: Pick<ManagementService, 'searchDevices'>): Hono {
  const deviceQuery = z.object({ q: z.string().max(200).default('') });
  return new Hono().get(
    '/devices',
    validateQuery(deviceQuery, ({ q }) => ({ devices: management.searchDevices(q, MAX_DEVICE_OPTIONS) })),
  );
}
