/** views.open, views.push, views.update, views.publish. */

import { withGeneratedIds } from '../blocks/elements.ts';
import type { WorkspaceCore } from '../core/core.ts';
import type { Trigger } from '../core/interaction-grants.ts';
import { asJsonObject, asList, type JsonObject } from '../core/json-object.ts';
import { viewObject } from '../objects/messages-and-views.ts';
import { MAX_VIEWS, type SlackView, type SlackViewContent } from '../state/view-store.ts';
import { checkView, withWholeView } from '../validate/payload-rules.ts';
import {
  type ApiReply,
  botMethod,
  type CallArguments,
  errorReply,
  type Lookup,
  missingArgumentReply,
  okReply,
  TIER,
  validationErrorReply,
  type WebApiMethod,
} from './calls.ts';

/** docs.slack.dev/reference/methods/views.open: "greater than 250kb". */
const MAX_VIEW_BYTES = 250 * 1024;

/**
 * A view that the bot sends, by method or in an acknowledgement: validated, with generated ids. An answer of views.push does
 * not name the whole view (F3-Nation/archive-f3-nation-slack-bot, issue 42).
 */
export function parseView(
  core: WorkspaceCore,
  sent: unknown,
  type: SlackView['type'],
  isPushed = false,
): Lookup<SlackViewContent> {
  const found = checkView(sent, type);
  const problems = isPushed ? found : withWholeView(found);
  if (problems.length > 0) return validationErrorReply('invalid_arguments', problems);
  const { blocks, ...content } = asJsonObject(sent);
  return { ok: true, value: { content, blocks: withGeneratedIds(asList(blocks), core.ids) } };
}

function readSentView(
  args: CallArguments,
  core: WorkspaceCore,
  type: SlackView['type'],
  isPushed = false,
): Lookup<SlackViewContent> {
  if (!args.has('view')) return missingArgumentReply('view');
  const sent = args.structure('view');
  if (Buffer.byteLength(JSON.stringify(sent) ?? '') > MAX_VIEW_BYTES) return errorReply('view_too_large');
  return parseView(core, sent, type, isPushed);
}

function exchangeTrigger(args: CallArguments, core: WorkspaceCore): Lookup<Trigger> {
  const id = args.text('trigger_id');
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
  return trigger.ok ? viewReply(core, core.views.open(trigger.value.user, read.value), UNTOUCHED) : trigger;
}

/** Works only from inside an open modal. */
function push(args: CallArguments, core: WorkspaceCore): ApiReply {
  const read = readSentView(args, core, 'modal', true);
  if (!read.ok) return read;
  const trigger = exchangeTrigger(args, core);
  if (!trigger.ok) return trigger;
  const { user, view } = trigger.value;
  const stack = core.views.stack(user);
  if (!stack.some(({ id }) => id === view)) return errorReply('invalid_trigger_id');
  if (stack.length >= MAX_VIEWS) return errorReply('push_limit_reached');
  return viewReply(core, core.views.push(user, read.value), UNTOUCHED);
}

/** An empty hash matches no view (slack-go, issue 1462). */
function isStale({ all: { hash } }: CallArguments, view: SlackView | undefined): boolean {
  return hash !== undefined && hash !== null && view !== undefined && hash !== view.hash;
}

function update(args: CallArguments, core: WorkspaceCore): ApiReply {
  const id = args.text('view_id');
  if (id === undefined) return missingArgumentReply('view_id');
  const view = core.views.get(id);
  if (!view) return errorReply('not_found');
  const read = readSentView(args, core, view.type);
  if (!read.ok) return read;
  return isStale(args, view)
    ? errorReply('hash_conflict')
    : viewReply(core, core.views.update(view, read.value));
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
  const read = readSentView(args, core, 'home');
  if (!read.ok) return read;
  return isStale(args, home)
    ? errorReply('hash_conflict')
    : viewReply(core, core.views.publish(user, read.value));
}

export const viewMethods: readonly WebApiMethod[] = [
  botMethod('views.open', TIER.four, [], open),
  botMethod('views.push', TIER.four, [], push),
  botMethod('views.update', TIER.four, [], update),
  botMethod('views.publish', TIER.four, [], publish),
];
