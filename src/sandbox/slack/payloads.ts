/** What the bot is told when a person does something (docs.slack.dev/reference/interaction-payloads). */
import type { Found } from './blocks/elements.ts';
import { type Entry, formState } from './blocks/entries.ts';
import type { Core } from './core.ts';
import type { Fields } from './json.ts';
import { messageObject, viewObject } from './objects.ts';
import type { Channel, Person } from './state/directory.ts';
import { messageSurface } from './state/inputs.ts';
import type { Message } from './state/timeline.ts';
import type { View } from './state/views.ts';

/** Where an element stands. */
export type Surface =
  | { readonly kind: 'message'; readonly channel: Channel; readonly message: Message }
  | { readonly kind: 'view'; readonly view: View };

export function channelName({ name, kind }: Channel): string {
  return kind === 'im' ? 'directmessage' : name;
}

function head({ app }: Core, { id, name }: Person): Fields {
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

/** What is said of an ephemeral message is less: it is stored nowhere. */
function surfaceFields(core: Core, person: Person, surface: Surface): Fields {
  if (surface.kind === 'view') {
    const view = viewObject(core, surface.view);
    return { container: { type: 'view', view_id: surface.view.id }, view };
  }
  const { channel, message } = surface;
  const entered = core.inputs.entered(person.id, messageSurface(channel.id, message.ts));
  const isEphemeral = message.onlyFor !== null;
  return {
    container: {
      type: 'message',
      message_ts: message.ts,
      channel_id: channel.id,
      is_ephemeral: isEphemeral,
      ...(message.threadTs === null ? {} : { thread_ts: message.threadTs }),
    },
    channel: { id: channel.id, name: channelName(channel) },
    ...(isEphemeral ? {} : { message: messageObject(core, message, false) }),
    state: { values: formState(message.blocks, entered) },
  };
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
  const { type, text, value, style } = found.element;
  const held = entry ?? { type, text, value, style };
  return {
    type: 'block_actions',
    ...head(core, person),
    ...surfaceFields(core, person, surface),
    trigger_id: used.triggerId,
    ...(used.responseUrl === null ? {} : { response_url: used.responseUrl }),
    actions: [{ ...held, action_id: found.actionId, block_id: found.blockId, action_ts: core.ids.ts() }],
  };
}

export function suggestionPayload(
  core: Core,
  { person, surface, found, value }: Pick<Used, 'person' | 'surface' | 'found'> & { readonly value: string },
): Fields {
  return {
    type: 'block_suggestion',
    ...head(core, person),
    ...surfaceFields(core, person, surface),
    action_id: found.actionId,
    block_id: found.blockId,
    value,
  };
}

export function submissionPayload(core: Core, person: Person, view: View, triggerId: string): Fields {
  return {
    type: 'view_submission',
    ...head(core, person),
    trigger_id: triggerId,
    view: viewObject(core, view),
    response_urls: [],
  };
}

export function closedPayload(core: Core, person: Person, view: View, isCleared: boolean): Fields {
  return {
    type: 'view_closed',
    ...head(core, person),
    view: viewObject(core, view),
    is_cleared: isCleared,
  };
}
