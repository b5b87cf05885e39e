/** Payloads of interactions (docs.slack.dev/reference/interaction-payloads). */

import {
  type ElementInBlocks,
  type ElementState,
  findElement,
  initialStateValues,
} from '../blocks/elements.ts';
import type { WorkspaceCore } from '../core/core.ts';
import { asJsonObject, asList, type JsonObject } from '../core/json-object.ts';
import {
  answeredAttachment,
  answeredObject,
  messageObject,
  viewObject,
} from '../objects/messages-and-views.ts';
import type { Channel, Person } from '../state/directory.ts';
import type { Message } from '../state/timeline.ts';
import { messageSurface, type SlackView } from '../state/view-store.ts';

export type InteractionSurface =
  | { readonly kind: 'message'; readonly channel: Channel; readonly message: Message }
  | { readonly kind: 'view'; readonly view: SlackView };

/** The channel's name in payloads: a private channel is only called that. */
function channelName({ name, kind }: Channel): string {
  if (kind === 'im') return 'directmessage';
  return kind === 'private' ? 'privategroup' : name;
}

function payloadHead({ app }: WorkspaceCore, { id, name }: Person): JsonObject {
  return {
    user: { id, username: name, name, team_id: app.teamId },
    api_app_id: app.appId,
    token: app.verificationToken,
    team: { id: app.teamId, domain: app.teamDomain },
    enterprise: null,
    is_enterprise_install: false,
  };
}

export type SlashCommandUse = {
  readonly person: Person;
  readonly channel: Channel;
  readonly command: string;
  readonly text: string;
  readonly triggerId: string;
  readonly responseUrl: string;
};

export function commandPayload({ app }: WorkspaceCore, use: SlashCommandUse): JsonObject {
  const { person, channel } = use;
  return {
    token: app.verificationToken,
    team_id: app.teamId,
    team_domain: app.teamDomain,
    channel_id: channel.id,
    channel_name: channelName(channel),
    user_id: person.id,
    user_name: person.name,
    command: use.command,
    text: use.text,
    api_app_id: app.appId,
    is_enterprise_install: 'false',
    response_url: use.responseUrl,
    trigger_id: use.triggerId,
  };
}

export function blocksOfMessage({ blocks, attachments }: Message): readonly JsonObject[] {
  return [...blocks, ...attachments.flatMap((attachment) => asList(attachment['blocks']))];
}

/**
 * Without the bot's profile (business4s/chatOps4s, ws-events/interactive.json, 2026-02), with all metadata
 * (slackapi/bolt-python, issue 863).
 */
function usedMessage(core: WorkspaceCore, message: Message): JsonObject {
  const { bot_profile: _profile, ...rest } = messageObject(core, message, true);
  return { message: rest };
}

/**
 * An ephemeral message has fewer fields, because it is stored nowhere; of a message with an unfurl only that is told
 * (docs.slack.dev/messaging/unfurling-links-in-messages).
 */
function surfaceFields(core: WorkspaceCore, surface: InteractionSurface, found: ElementInBlocks): JsonObject {
  if (surface.kind === 'view') {
    const view = viewObject(core, surface.view);
    return { container: { type: 'view', view_id: surface.view.id }, view };
  }
  const { channel, message } = surface;
  const place = containerFields(channel, message, found);
  const isPart = message.onlyFor !== null || 'app_unfurl' in place;
  return {
    ...place,
    channel: { id: channel.id, name: channelName(channel) },
    ...(isPart ? {} : usedMessage(core, message)),
  };
}

export function attachmentWith(
  { attachments }: Message,
  { actionId, blockId }: ElementInBlocks,
): JsonObject | undefined {
  return attachments.find((each) =>
    findElement(asList(each['blocks']), { action_id: actionId, block_id: blockId }),
  );
}

/** Attachments are what links show. */
function containerFields(channel: Channel, message: Message, found: ElementInBlocks): JsonObject {
  const unfurl = attachmentWith(message, found);
  const kind = unfurl
    ? {
        type: 'message_attachment',
        attachment_id: unfurl['id'],
        is_app_unfurl: true,
        app_unfurl_url: unfurl['app_unfurl_url'],
      }
    : { type: 'message' };
  return {
    container: {
      ...kind,
      message_ts: message.ts,
      channel_id: channel.id,
      is_ephemeral: message.onlyFor !== null,
      ...(message.threadTs === null ? {} : { thread_ts: message.threadTs }),
    },
    ...(unfurl ? { app_unfurl: answeredAttachment(unfurl) } : {}),
  };
}

/** A message's state; a view carries its own. */
function stateFields(
  { enteredValues }: WorkspaceCore,
  person: Person,
  surface: InteractionSurface,
): JsonObject {
  if (surface.kind === 'view') return {};
  const { channel, message } = surface;
  const entered = enteredValues.entered(person.id, messageSurface(channel.id, message.ts));
  return answeredObject({ state: { values: initialStateValues(blocksOfMessage(message), entered) } });
}

/** What an element reports besides its value. */
const REPORTED: Readonly<Record<string, readonly string[]>> = {
  button: ['text', 'value', 'style', 'confirm'],
  checkboxes: ['initial_options'],
  radio_buttons: ['initial_option'],
  timepicker: ['initial_time'],
  static_select: ['initial_option', 'placeholder'],
  external_select: ['initial_option', 'placeholder', 'min_query_length'],
  multi_static_select: ['initial_options', 'placeholder'],
  multi_external_select: ['initial_options', 'placeholder', 'min_query_length'],
};

/** One entry of `actions`; `entry` is null for a button. */
function blockActionObject(
  { element, actionId, blockId }: ElementInBlocks,
  entry: ElementState | null,
  ts: string,
): JsonObject {
  const type = String(element['type']);
  const names = Object.hasOwn(REPORTED, type) ? REPORTED[type] : undefined;
  const said = (names ?? []).filter((name) => element[name] !== undefined);
  return {
    type,
    ...Object.fromEntries(said.map((name) => [name, element[name]])),
    ...entry,
    action_id: actionId,
    block_id: blockId,
    action_ts: ts,
  };
}

export type ElementUse = {
  readonly person: Person;
  readonly surface: InteractionSurface;
  readonly found: ElementInBlocks;
  /** Null for elements without a value, such as a button. */
  readonly entry: ElementState | null;
  readonly triggerId: string;
  readonly responseUrl: string | null;
};

export function blockActionsPayload(core: WorkspaceCore, used: ElementUse): JsonObject {
  const { person, surface, found, entry } = used;
  return {
    type: 'block_actions',
    ...payloadHead(core, person),
    ...surfaceFields(core, surface, found),
    ...stateFields(core, person, surface),
    trigger_id: used.triggerId,
    ...(used.responseUrl === null ? {} : { response_url: used.responseUrl }),
    actions: [answeredObject(blockActionObject(found, entry, core.ids.ts()))],
  };
}

/**
 * A view has no values here (docs.slack.dev/reference/interaction-payloads/block_suggestion-payload, its example;
 * slackapi/bolt-js, issue 660).
 */
export function suggestionPayload(
  core: WorkspaceCore,
  {
    person,
    surface,
    found,
    value,
  }: Pick<ElementUse, 'person' | 'surface' | 'found'> & { readonly value: string },
): JsonObject {
  const { view, ...place } = surfaceFields(core, surface, found);
  return {
    type: 'block_suggestion',
    ...payloadHead(core, person),
    ...place,
    ...(view === undefined ? {} : { view: { ...asJsonObject(view), state: { values: {} } } }),
    action_id: found.actionId,
    block_id: found.blockId,
    value,
  };
}

/** docs.slack.dev/reference/interaction-payloads/view-interactions-payload */
export function submissionPayload(
  core: WorkspaceCore,
  person: Person,
  view: SlackView,
  triggerId: string,
): JsonObject {
  return {
    type: 'view_submission',
    ...payloadHead(core, person),
    trigger_id: triggerId,
    view: viewObject(core, view),
    // No element here asks for one.
    response_urls: [],
  };
}

export type ShortcutUse = {
  readonly person: Person;
  readonly callbackId: string;
  readonly triggerId: string;
  /** Absent for a global shortcut. */
  readonly on?: { readonly channel: Channel; readonly message: Message; readonly responseUrl: string };
};

/**
 * docs.slack.dev/reference/interaction-payloads/shortcuts-interaction-payload. It does not name the app, and a global one
 * not the display name (slackapi/bolt-python, test_shortcut.py; slackapi/bolt-js, types/shortcuts).
 */
export function shortcutPayload(
  core: WorkspaceCore,
  { person, callbackId, triggerId, on }: ShortcutUse,
): JsonObject {
  const { api_app_id: _app, ...head } = payloadHead(core, person);
  const { name: _name, ...nameless } = asJsonObject(head['user']);
  return {
    type: on ? 'message_action' : 'shortcut',
    ...head,
    ...(on ? {} : { user: nameless }),
    action_ts: core.ids.ts(),
    callback_id: callbackId,
    trigger_id: triggerId,
    ...(on
      ? {
          response_url: on.responseUrl,
          message_ts: on.message.ts,
          channel: { id: on.channel.id, name: channelName(on.channel) },
          message: messageObject(core, on.message, true),
        }
      : {}),
  };
}
