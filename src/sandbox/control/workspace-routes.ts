/** Routes for what people do and see in the workspace. */
import { Hono } from 'hono';
import { z } from 'zod';
import type { ExcerptQuery } from '../contracts/people.ts';
import type { ManagementService, Workspace } from '../contracts/services.ts';
import { badRequestAnswer, nameSchemas, validateBody, validateQuery } from './validation.ts';

const delivery = z.object({
  do: z.enum(['duplicate', 'reorder', 'disconnect', 'refresh', 'half-open', 'kill-socket', 'verify']),
  times: z.number().int().min(1).max(1_000).exactOptional(),
});
const MESSAGE_LOCATION_ERROR = 'needs channel and ts, or view_id';

const id = z.string().min(1);
const values = z.record(z.string(), z.record(z.string(), z.unknown())).default({});

/** Routes that act as a person. */
export function workspaceRoutes(workspace: Workspace): Hono {
  const { user, channel } = nameSchemas(workspace);
  const location = { channel: channel.exactOptional(), ts: id.exactOptional(), view_id: id.exactOptional() };

  const command = z.object({
    user,
    channel,
    command: z.string().startsWith('/'),
    text: z.string().default(''),
  });
  const message = z.object({
    user,
    channel,
    text: z.string(),
    thread_ts: id.exactOptional(),
  });
  const element = { action_id: id, block_id: z.string().exactOptional(), value: z.unknown().exactOptional() };
  const click = z
    .object({ user, ...location, ...element, confirm: z.boolean().exactOptional() })
    .refine(hasLocation, { error: MESSAGE_LOCATION_ERROR });
  const suggest = z
    .object({ user, ...location, action_id: id, block_id: id, value: z.string().default('') })
    .refine(hasLocation, { error: MESSAGE_LOCATION_ERROR });
  const shortcut = z.object({
    user,
    callback_id: id,
    channel: channel.exactOptional(),
    ts: id.exactOptional(),
  });
  const home = z.object({ user, tab: z.enum(['home', 'messages']).exactOptional() });
  const react = z.object({ user, channel, ts: id, name: id, remove: z.boolean().exactOptional() });
  const close = z.object({ user, view_id: id, all: z.boolean().exactOptional() });

  return new Hono()
    .post('/command', validateBody(command, workspace.command))
    .post('/message', validateBody(message, workspace.message))
    .post(
      '/click',
      validateBody(click, ({ channel = '', ts = '', ...input }) =>
        workspace.click({ ...input, channel, ts }),
      ),
    )
    .post('/submit', validateBody(z.object({ user, view_id: id, values }), workspace.submit))
    .post('/close', validateBody(close, workspace.close))
    .post('/suggest', validateBody(suggest, workspace.suggest))
    .post('/invite', validateBody(z.object({ user, channel }), workspace.invite))
    .post('/shortcut', validateBody(shortcut, workspace.shortcut))
    .post('/home', validateBody(home, workspace.home))
    .post('/react', validateBody(react, workspace.react))
    .post('/delivery', validateBody(delivery, workspace.delivery))
    .get('/shortcuts', (context) => context.json({ shortcuts: workspace.shortcuts() }))
    .get('/commands', (context) => context.json({ commands: workspace.commands() }))
    .get(
      '/views',
      validateQuery(z.object({ user }), ({ user }) => workspace.views(user)),
    );
}

function hasLocation(location: {
  readonly channel?: string;
  readonly ts?: string;
  readonly view_id?: string;
}) {
  return location.view_id !== undefined || (location.channel !== undefined && location.ts !== undefined);
}

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
