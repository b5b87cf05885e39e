/** What the page reads besides the promised calls: parts of channels, conversations, files, the bot's health. */
import { Hono } from 'hono';
import { z } from 'zod';
import type { ExcerptOrder, Management, Workspace } from '../contracts.ts';
import { refusal, withBody, withQuery } from './doors.ts';
import { placeSchemas } from './places.ts';

const TS = /^\d{1,12}\.\d{6}$/;
const LONGEST_PAGE = 1000;
/** More of them are no help to somebody who types. */
const DEVICES_AT_ONCE = 20;

const ts = z.string().regex(TS, { error: 'must be the ts of a message' });
const part = {
  limit: z.coerce.number().int().min(1).max(LONGEST_PAGE).exactOptional(),
  before: ts.exactOptional(),
  after: ts.exactOptional(),
  thread: ts.exactOptional(),
  replies: z
    .enum(['true', 'false'])
    .transform((text) => text === 'true')
    .exactOptional(),
  since: z.coerce.number().int().min(0).exactOptional(),
};

/** `GET /messages`: all of a channel, or with any of the optional parameters a part of it. */
export function readingRoutes(workspace: Workspace): Hono {
  const { user, channel } = placeSchemas(workspace);
  return new Hono()
    .get(
      '/messages',
      withQuery(z.object({ user, channel, ...part }), (order, context) => {
        const read = isPart(order) ? workspace.excerpt(order) : whole(workspace, order);
        return read ?? context.json(refusal(`${order.user} cannot see ${order.channel}`), 400);
      }),
    )
    .get(
      '/conversations',
      withQuery(z.object({ user }), ({ user }) => ({ conversations: workspace.conversations(user) })),
    )
    .get(
      '/file',
      withQuery(z.object({ user, id: z.string().min(1) }), (order, context) => {
        const file = workspace.file(order);
        if (file === null) return context.json(refusal(`${order.user} cannot see file ${order.id}`), 404);
        return download(file.name, file.bytes);
      }),
    )
    .post('/join', withBody(z.object({ user, channel }), workspace.join))
    .post('/open', withBody(z.object({ user, people: z.array(user).max(20) }), workspace.open));
}

function whole(workspace: Workspace, order: ExcerptOrder) {
  const messages = workspace.messages(order);
  return messages === null ? null : { messages };
}

function isPart({ user: _user, channel: _channel, ...asked }: ExcerptOrder): boolean {
  return Object.keys(asked).length > 0;
}

/** Never opened in the page's own origin, whatever it holds. */
function download(name: string, bytes: Uint8Array<ArrayBuffer>): Response {
  return new Response(bytes, {
    headers: {
      'content-type': 'application/octet-stream',
      'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(name)}`,
      'x-content-type-options': 'nosniff',
    },
  });
}

/** `GET /devices`: those whose names hold what was typed. */
export function deviceRoutes(management: Pick<Management, 'devicesWith'>): Hono {
  const sought = z.object({ q: z.string().max(200).default('') });
  return new Hono().get(
    '/devices',
    withQuery(sought, ({ q }) => ({ devices: management.devicesWith(q, DEVICES_AT_ONCE) })),
  );
}
