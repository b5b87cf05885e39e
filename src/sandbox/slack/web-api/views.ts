/** views.open, views.push, views.update, views.publish. */
import type { Arguments } from '../arguments.ts';
import type { Core } from '../core.ts';
import { viewObject } from '../objects.ts';
import { done, missingArgument, type Reply, refuse } from '../reply.ts';
import { MOST_VIEWS, type View } from '../state/views.ts';
import type { Trigger } from '../triggers.ts';
import { readView, type ViewContentRead } from '../view-content.ts';
import { botMethod, type Method, type Sought, TIER } from './method.ts';

/** docs.slack.dev/reference/methods/views.open: "greater than 250kb". */
const LARGEST_VIEW = 250 * 1024;

function readSent(args: Arguments, core: Core, type: View['type'], instead?: View): ViewContentRead {
  if (!args.has('view')) return missingArgument('view');
  const sent = args.structure('view');
  if (Buffer.byteLength(JSON.stringify(sent) ?? '') > LARGEST_VIEW) return refuse('view_too_large');
  return readView(core, sent, type, instead);
}

function seekTrigger(args: Arguments, core: Core): Sought<Trigger> {
  const id = args.text('trigger_id');
  if (id === undefined) return missingArgument('trigger_id');
  const exchanged = core.triggers.exchange(id);
  return exchanged.ok ? { ok: true, value: exchanged.trigger } : refuse(exchanged.error);
}

function shown(core: Core, view: View): Reply {
  core.changed();
  return done({ view: viewObject(core, view) });
}

function open(args: Arguments, core: Core): Reply {
  const read = readSent(args, core, 'modal');
  if (!read.ok) return read;
  const trigger = seekTrigger(args, core);
  return trigger.ok
    ? shown(core, core.views.open(trigger.value.user, read.content, trigger.value.channel))
    : trigger;
}

/** Only from inside an open modal. */
function push(args: Arguments, core: Core): Reply {
  const read = readSent(args, core, 'modal');
  if (!read.ok) return read;
  const trigger = seekTrigger(args, core);
  if (!trigger.ok) return trigger;
  const { user, view } = trigger.value;
  const stack = core.views.stack(user);
  if (!stack.some(({ id }) => id === view)) return refuse('invalid_trigger_id');
  if (stack.length >= MOST_VIEWS) return refuse('push_limit_reached');
  return shown(core, core.views.push(user, read.content));
}

function isStale(args: Arguments, view: View | undefined): boolean {
  const hash = args.text('hash');
  return hash !== undefined && view !== undefined && hash !== view.hash;
}

function update(args: Arguments, core: Core): Reply {
  const id = args.text('view_id');
  const externalId = args.text('external_id');
  if (id === undefined && externalId === undefined) return missingArgument('view_id');
  const view = id === undefined ? core.views.byExternalId(externalId ?? '') : core.views.get(id);
  if (!view) return refuse('not_found');
  const read = readSent(args, core, view.type, view);
  if (!read.ok) return read;
  return isStale(args, view) ? refuse('hash_conflict') : shown(core, core.views.update(view, read.content));
}

function publish(args: Arguments, core: Core): Reply {
  if (!core.manifest.homeTab) return refuse('not_enabled');
  const user = args.text('user_id');
  if (user === undefined) return missingArgument('user_id');
  if (!core.directory.people().some(({ id }) => id === user)) return refuse('user_not_found');
  const home = core.views.home(user);
  const read = readSent(args, core, 'home', home);
  if (!read.ok) return read;
  return isStale(args, home) ? refuse('hash_conflict') : shown(core, core.views.publish(user, read.content));
}

export const viewMethods: readonly Method[] = [
  botMethod('views.open', TIER.four, [], open),
  botMethod('views.push', TIER.four, [], push),
  botMethod('views.update', TIER.four, [], update),
  botMethod('views.publish', TIER.four, [], publish),
];
