/** Everything that a person can see and do in the workspace. */
import type { Workspace } from '../../contracts/services.ts';
import type { WorkspaceCore } from '../core/core.ts';
import type { Deliver } from '../delivery/delivery.ts';
import { closeView, openViews, submitView } from './modals.ts';
import { conversationsOf, readExcerpt, readFile, visibleMessages } from './read-messages.ts';
import { inviteBot, joinChannel, openHome, reactToMessage, sendMessage } from './send-messages.ts';
import { clickElement, sendSlashCommand, suggestOptions, useShortcut } from './use-elements.ts';

type WorkspaceFacts = Pick<Workspace, 'users' | 'channels' | 'userGroups' | 'commands' | 'shortcuts'>;
/** All of the workspace that is no address, key or fault. */
export type UserActions = Omit<
  Workspace,
  | 'apiUrl'
  | 'botToken'
  | 'appToken'
  | 'signingSecret'
  | 'setBotUrl'
  | 'delivery'
  | 'onChange'
  | 'reset'
  | 'stop'
>;

export function createUserActions(core: WorkspaceCore, deliver: Deliver): UserActions {
  return {
    ...workspaceFacts(core),
    command: (input) => sendSlashCommand(core, deliver, input),
    message: async (input) => sendMessage(core, input),
    messages: (view) => visibleMessages(core, view),
    excerpt: (input) => readExcerpt(core, input),
    cursor: core.messageChanges.cursor,
    channelsSince: core.messageChanges.channels,
    conversations: (user) => conversationsOf(core, user),
    file: (input) => readFile(core, input),
    click: (input) => clickElement(core, deliver, input),
    views: (user) => openViews(core, user),
    submit: (input) => submitView(core, deliver, input),
    close: async (input) => closeView(core, input),
    suggest: (input) => suggestOptions(core, deliver, input),
    invite: async (input) => inviteBot(core, input),
    shortcut: (input) => useShortcut(core, deliver, input),
    home: async (input) => openHome(core, input),
    react: async (input) => reactToMessage(core, input),
    join: async (input) => joinChannel(core, input),
  };
}

/** Exactly the contract's fields: the control interface forwards them unchanged. */
function workspaceFacts({ directory, manifest }: WorkspaceCore): WorkspaceFacts {
  return {
    users: () => directory.people().map(({ id, name, role }) => ({ id, name, role })),
    channels: () =>
      directory
        .channels()
        .map(({ id, name, kind }) => ({ id, name, ...(kind === 'private' ? { isPrivate: true } : {}) })),
    userGroups: () => directory.userGroups().map(({ id, handle, users }) => ({ id, handle, users })),
    commands: () =>
      manifest.commands.map(({ command, description, usageHint }) => ({ command, description, usageHint })),
    shortcuts: () =>
      manifest.shortcuts.map(({ callbackId, ...shortcut }) => ({ ...shortcut, callback_id: callbackId })),
  };
}
