/** Everything that a person can see and do in the workspace. */
import type { Workspace } from '../../contracts.ts';
import type { Core } from '../core.ts';
import type { Deliver } from '../delivery/delivery.ts';
import { clickElement } from './click.ts';
import { giveCommand } from './command.ts';
import { readExcerpt } from './excerpt.ts';
import { readFile, uploadFile } from './files.ts';
import { openHome } from './home.ts';
import { closeView, openViews, submitView } from './modals.ts';
import { conversationsOf, joinChannel, openDirect } from './places.ts';
import { react } from './react.ts';
import { takeShortcut } from './shortcut.ts';
import { suggestOptions } from './suggest.ts';
import { inviteBot, seenMessages, sendMessage } from './talk.ts';

type Surroundings = Pick<Workspace, 'users' | 'channels' | 'userGroups' | 'commands' | 'shortcuts'>;
type Doings = Pick<
  Workspace,
  | 'command'
  | 'message'
  | 'click'
  | 'upload'
  | 'submit'
  | 'close'
  | 'suggest'
  | 'shortcut'
  | 'home'
  | 'react'
  | 'invite'
  | 'join'
  | 'open'
>;
type Sights = Pick<
  Workspace,
  'messages' | 'excerpt' | 'cursor' | 'channelsSince' | 'conversations' | 'file' | 'views'
>;
export type Gestures = Surroundings & Doings & Sights;

export function createGestures(core: Core, deliver: Deliver): Gestures {
  return {
    ...surroundings(core),
    command: (order) => giveCommand(core, deliver, order),
    message: async (order) => sendMessage(core, order),
    messages: (view) => seenMessages(core, view),
    excerpt: (order) => readExcerpt(core, order),
    cursor: core.sightings.cursor,
    channelsSince: core.sightings.channels,
    conversations: (user) => conversationsOf(core, user),
    file: (order) => readFile(core, order),
    upload: async (order) => uploadFile(core, order),
    click: (order) => clickElement(core, deliver, order),
    views: (user) => openViews(core, user),
    submit: (order) => submitView(core, deliver, order),
    close: async (order) => closeView(core, deliver, order),
    suggest: (order) => suggestOptions(core, deliver, order),
    invite: async (order) => inviteBot(core, order),
    shortcut: (order) => takeShortcut(core, deliver, order),
    home: async (order) => openHome(core, order),
    react: async (order) => react(core, order),
    join: async (order) => joinChannel(core, order),
    open: async (order) => openDirect(core, order),
  };
}

/** Exactly the promised fields: the control interface sends them on as they are. */
function surroundings({ directory, manifest }: Core): Surroundings {
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
