/** views.open, views.push, views.update, views.publish. */

import type { WorkspaceCore } from '../core/core.ts';
import type { JsonObject } from '../core/json-object.ts';
import type { Trigger } from '../core/triggers.ts';
import { viewObject } from '../objects/messages-and-views.ts';
import { type ParsedViewContent, parseView } from '../payloads/view-content.ts';
import { MAX_VIEWS, type SlackView } from '../state/view-store.ts';
import type { CallArguments } from './calls/arguments.ts';
import { botMethod, type Lookup, TIER, type WebApiMethod } from './calls/method.ts';
import { type ApiReply, errorReply, missingArgumentReply, okReply } from './calls/replies.ts';

/** docs.slack.dev/reference/methods/views.open: "greater than 250kb". */
const MAX_VIEW_BYTES = 250 * 1024;

function readSentView(
  args: CallArguments,
  core: WorkspaceCore,
  type: SlackView['type'],
  instead?: SlackView,
  isPushed = false,
): ParsedViewContent {
  if (!args.has('view')) return missingArgumentReply('view');
  const sent = args.structure('view');
  if (Buffer.byteLength(JSON.stringify(sent) ?? '') > MAX_VIEW_BYTES) return errorReply('view_too_large');
  return parseView(core, sent, type, instead, isPushed);
}

function exchangeTrigger(args: CallArguments, core: WorkspaceCore): Lookup<Trigger> {
  const id = args.text('trigger_id') ?? args.text('interactivity_pointer');
  if (id === undefined) return missingArgumentReply('trigger_id');
  const exchanged = core.triggers.exchange(id);
  return exchanged.ok ? { ok: true, value: exchanged.trigger } : errorReply(exchanged.error);
}

function viewReply(core: WorkspaceCore, view: SlackView, more: JsonObject = {}): ApiReply {
  core.changed();
  return okReply({ view: { ...viewObject(core, view), ...more } });
}

/** Of a view that nobody has seen, also where it has inputs (docs.slack.dev/reference/methods/views.open, its example). */
const UNTOUCHED = { state: { values: {} } };

function open(args: CallArguments, core: WorkspaceCore): ApiReply {
  const read = readSentView(args, core, 'modal');
  if (!read.ok) return read;
  const trigger = exchangeTrigger(args, core);
  return trigger.ok
    ? viewReply(core, core.views.open(trigger.value.user, read.content, trigger.value.channel), UNTOUCHED)
    : trigger;
}

/** Works only from inside an open modal. */
function push(args: CallArguments, core: WorkspaceCore): ApiReply {
  const read = readSentView(args, core, 'modal', undefined, true);
  if (!read.ok) return read;
  const trigger = exchangeTrigger(args, core);
  if (!trigger.ok) return trigger;
  const { user, view } = trigger.value;
  const stack = core.views.stack(user);
  if (!stack.some(({ id }) => id === view)) return errorReply('invalid_trigger_id');
  if (stack.length >= MAX_VIEWS) return errorReply('push_limit_reached');
  return viewReply(core, core.views.push(user, read.content), UNTOUCHED);
}

/** An empty hash matches no view (slack-go, issue 1462). */
function isStale({ all: { hash } }: CallArguments, view: SlackView | undefined): boolean {
  return hash !== undefined && hash !== null && view !== undefined && hash !== view.hash;
}

/** Also where one of them is empty (slack-go, issue 667). */
const BOTH_IDS = errorReply('invalid_arguments', {
  response_metadata: { messages: ['[ERROR] Cannot provide both `view_id` and `external_id`'] },
});

function update(args: CallArguments, core: WorkspaceCore): ApiReply {
  const given = [args.all['view_id'], args.all['external_id']];
  if (given.every((id) => id !== undefined && id !== null)) return BOTH_IDS;
  const id = args.text('view_id');
  const externalId = args.text('external_id');
  if (id === undefined && externalId === undefined) return missingArgumentReply('view_id');
  const view = id === undefined ? core.views.byExternalId(externalId ?? '') : core.views.get(id);
  if (!view) return errorReply('not_found');
  const read = readSentView(args, core, view.type, view);
  if (!read.ok) return read;
  return isStale(args, view)
    ? errorReply('hash_conflict')
    : viewReply(core, core.views.update(view, read.content));
}

/** docs.slack.dev/reference/methods/views.publish, its example of an error. */
const INVALID_USER = errorReply('invalid_arguments', {
  response_metadata: { messages: ['invalid `user_id`'] },
});

function publish(args: CallArguments, core: WorkspaceCore): ApiReply {
  if (!core.manifest.homeTab) return errorReply('not_enabled');
  const user = args.text('user_id');
  if (user === undefined) return missingArgumentReply('user_id');
  if (!core.directory.people().some(({ id }) => id === user)) return INVALID_USER;
  const home = core.views.home(user);
  const read = readSentView(args, core, 'home', home);
  if (!read.ok) return read;
  return isStale(args, home)
    ? errorReply('hash_conflict')
    : viewReply(core, core.views.publish(user, read.content));
}

export const viewMethods: readonly WebApiMethod[] = [
  botMethod('views.open', TIER.four, [], open),
  botMethod('views.push', TIER.four, [], push),
  botMethod('views.update', TIER.four, [], update),
  botMethod('views.publish', TIER.four, [], publish),
];
