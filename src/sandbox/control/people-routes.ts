/** What people do in the workspace, and what they see there. */
import { Hono } from 'hono';
import { z } from 'zod';
import type { Workspace } from '../contracts.ts';
import { refusal, withBody, withQuery } from './doors.ts';
import { placeSchemas } from './places.ts';

const delivery = z.object({
  do: z.enum(['duplicate', 'reorder', 'disconnect', 'refresh', 'half-open', 'kill-socket', 'verify']),
  times: z.number().int().min(1).max(1_000).exactOptional(),
});
const MISPLACED = 'needs channel and ts, or view_id';

const LARGEST_FILE = 16 * 1024 * 1024;

/** Routes that act as a person. */
export function peopleRoutes(workspace: Workspace): Hono {
  const { user, channel } = placeSchemas(workspace);
  const id = z.string().min(1);
  const place = { channel: channel.exactOptional(), ts: id.exactOptional(), view_id: id.exactOptional() };

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
    broadcast: z.boolean().exactOptional(),
  });
  const element = { action_id: id, block_id: z.string().exactOptional(), value: z.unknown().exactOptional() };
  const click = z
    .object({ user, ...place, ...element, confirm: z.boolean().exactOptional() })
    .refine(isPlaced, { error: MISPLACED });
  const suggest = z
    .object({ user, ...place, action_id: id, block_id: id, value: z.string().default('') })
    .refine(isPlaced, { error: MISPLACED });
  const shortcut = z.object({
    user,
    callback_id: id,
    channel: channel.exactOptional(),
    ts: id.exactOptional(),
  });
  const home = z.object({ user, tab: z.enum(['home', 'messages']).exactOptional() });
  const react = z.object({ user, channel, ts: id, name: id, remove: z.boolean().exactOptional() });
  const values = z.record(z.string(), z.record(z.string(), z.unknown())).default({});

  return new Hono()
    .post('/command', withBody(command, workspace.command))
    .post('/message', withBody(message, workspace.message))
    .post(
      '/click',
      withBody(click, ({ channel = '', ts = '', ...order }) => workspace.click({ ...order, channel, ts })),
    )
    .post('/submit', withBody(z.object({ user, view_id: id, values }), workspace.submit))
    .post('/close', withBody(z.object({ user, view_id: id }), workspace.close))
    .post(
      '/upload',
      withQuery(z.object({ user, name: z.string().min(1).max(255) }), async (order, { req, json }) => {
        const bytes = new Uint8Array(await req.arrayBuffer());
        return bytes.length > LARGEST_FILE
          ? json(refusal('the file is larger than 16 MiB'), 413)
          : workspace.upload({ ...order, bytes });
      }),
    )
    .post('/suggest', withBody(suggest, workspace.suggest))
    .post('/invite', withBody(z.object({ user, channel }), workspace.invite))
    .post('/shortcut', withBody(shortcut, workspace.shortcut))
    .post('/home', withBody(home, workspace.home))
    .post('/react', withBody(react, workspace.react))
    .post('/delivery', withBody(delivery, workspace.delivery))
    .get('/shortcuts', (context) => context.json({ shortcuts: workspace.shortcuts() }))
    .get('/commands', (context) => context.json({ commands: workspace.commands() }))
    .get(
      '/views',
      withQuery(z.object({ user }), ({ user }) => workspace.views(user)),
    );
}

function isPlaced(place: { readonly channel?: string; readonly ts?: string; readonly view_id?: string }) {
  return place.view_id !== undefined || (place.channel !== undefined && place.ts !== undefined);
}
