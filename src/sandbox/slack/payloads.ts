/** What the bot is told when a person does something (docs.slack.dev/reference/interaction-payloads). */
import { actionObject } from './block-action.ts';
import { type Found, findElement } from './blocks/elements.ts';
import { type Entry, formState } from './blocks/entries.ts';
import type { Core } from './core.ts';
import { type Fields, listOf } from './json.ts';
import { messageObject, viewObject } from './objects.ts';
import type { Channel, Person } from './state/directory.ts';
import { messageSurface } from './state/inputs.ts';
import type { Message } from './state/timeline.ts';
import type { View } from './state/views.ts';

/** Where an element stands. */
export type Surface =
  | { readonly kind: 'message'; readonly channel: Channel; readonly message: Message }
  | { readonly kind: 'view'; readonly view: View };

/** As payloads name it: a private channel is only that. */
function channelName({ name, kind }: Channel): string {
  if (kind === 'im') return 'directmessage';
  return kind === 'private' ? 'privategroup' : name;
}

/** What every interaction begins with. */
export function head({ app }: Core, { id, name }: Person): Fields {
  return {
    user: { id, username: name, name, team_id: app.teamId },
    api_app_id: app.appId,
    token: app.verificationToken,
    team: { id: app.teamId, domain: app.teamDomain },
    enterprise: null,
    is_enterprise_install: false,
  };
}

export type CommandGiven = {
  readonly person: Person;
  readonly channel: Channel;
  readonly command: string;
  readonly text: string;
  readonly triggerId: string;
  readonly responseUrl: string;
};

export function commandPayload({ app }: Core, given: CommandGiven): Fields {
  const { person, channel } = given;
  return {
    token: app.verificationToken,
    team_id: app.teamId,
    team_domain: app.teamDomain,
    channel_id: channel.id,
    channel_name: channelName(channel),
    user_id: person.id,
    user_name: person.name,
    command: given.command,
    text: given.text,
    api_app_id: app.appId,
    is_enterprise_install: 'false',
    response_url: given.responseUrl,
    trigger_id: given.triggerId,
  };
}

/** All blocks of a message, those of its attachments too. */
export function blocksOfMessage({ blocks, attachments }: Message): readonly Fields[] {
  return [...blocks, ...attachments.flatMap((attachment) => listOf(attachment['blocks']))];
}

/** What is said of an ephemeral message is less: it is stored nowhere. */
function surfaceFields(core: Core, surface: Surface, found: Found): Fields {
  if (surface.kind === 'view') {
    const view = viewObject(core, surface.view);
    return { container: { type: 'view', view_id: surface.view.id }, view };
  }
  const { channel, message } = surface;
  const isEphemeral = message.onlyFor !== null;
  return {
    ...containerFields(channel, message, found),
    channel: { id: channel.id, name: channelName(channel) },
    ...(isEphemeral ? {} : { message: messageObject(core, message, false) }),
  };
}

function containerFields(channel: Channel, message: Message, { actionId, blockId }: Found): Fields {
  const attachment = message.attachments.find((each) =>
    findElement(listOf(each['blocks']), { action_id: actionId, block_id: blockId }),
  );
  const isUnfurl = attachment?.['is_app_unfurl'] === true;
  const inside = attachment
    ? { type: 'message_attachment', attachment_id: attachment['id'], is_app_unfurl: isUnfurl }
    : { type: 'message' };
  return {
    container: {
      ...inside,
      message_ts: message.ts,
      channel_id: channel.id,
      is_ephemeral: message.onlyFor !== null,
      ...(message.threadTs === null ? {} : { thread_ts: message.threadTs }),
    },
    ...(isUnfurl ? { app_unfurl: attachment } : {}),
  };
}

/** A message's state; a view carries its own. */
function stateFields({ inputs }: Core, person: Person, surface: Surface): Fields {
  if (surface.kind === 'view') return {};
  const { channel, message } = surface;
  const entered = inputs.entered(person.id, messageSurface(channel.id, message.ts));
  return { state: { values: formState(blocksOfMessage(message), entered) } };
}

export type Used = {
  readonly person: Person;
  readonly surface: Surface;
  readonly found: Found;
  /** Null for what holds no value, such as a button. */
  readonly entry: Entry | null;
  readonly triggerId: string;
  readonly responseUrl: string | null;
};

export function blockActionsPayload(core: Core, used: Used): Fields {
  const { person, surface, found, entry } = used;
  return {
    type: 'block_actions',
    ...head(core, person),
    ...surfaceFields(core, surface, found),
    ...stateFields(core, person, surface),
    trigger_id: used.triggerId,
    ...(used.responseUrl === null ? {} : { response_url: used.responseUrl }),
    actions: [actionObject(found, entry, core.ids.ts())],
  };
}

export function suggestionPayload(
  core: Core,
  { person, surface, found, value }: Pick<Used, 'person' | 'surface' | 'found'> & { readonly value: string },
): Fields {
  return {
    type: 'block_suggestion',
    ...head(core, person),
    ...surfaceFields(core, surface, found),
    action_id: found.actionId,
    block_id: found.blockId,
    value,
  };
}

export type ShortcutUsed = {
  readonly person: Person;
  readonly callbackId: string;
  readonly triggerId: string;
  /** Absent for a global shortcut. */
  readonly on?: { readonly channel: Channel; readonly message: Message; readonly responseUrl: string };
};

/** docs.slack.dev/reference/interaction-payloads/shortcuts-interaction-payload */
export function shortcutPayload(core: Core, { person, callbackId, triggerId, on }: ShortcutUsed): Fields {
  return {
    type: on ? 'message_action' : 'shortcut',
    ...head(core, person),
    action_ts: core.ids.ts(),
    callback_id: callbackId,
    trigger_id: triggerId,
    ...(on
      ? {
          response_url: on.responseUrl,
          message_ts: on.message.ts,
          channel: { id: on.channel.id, name: channelName(on.channel) },
          message: messageObject(core, on.message, false),
        }
      : {}),
  };
}
