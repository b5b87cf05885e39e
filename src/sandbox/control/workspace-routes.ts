/** Routes for what people do and see in the workspace. */
import { Hono } from 'hono';
import { z } from 'zod';
import type { Workspace } from '../contracts/services.ts';
import { nameSchemas } from './name-schemas.ts';
import { validateBody, validateQuery } from './validation.ts';

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
