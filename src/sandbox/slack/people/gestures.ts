/** Everything that a person can do in the workspace. */
import type { Workspace } from '../../contracts.ts';
import type { Core } from '../core.ts';
import type { Deliver } from '../delivery/delivery.ts';
import { clickElement } from './click.ts';
import { giveCommand } from './command.ts';
import { closeView, openViews, submitView } from './modals.ts';
import { suggestOptions } from './suggest.ts';
import { inviteBot, seenMessages, sendMessage } from './talk.ts';

export type Gestures = Pick<
  Workspace,
  'command' | 'message' | 'messages' | 'click' | 'views' | 'submit' | 'close' | 'suggest' | 'invite'
>;

export function createGestures(core: Core, deliver: Deliver): Gestures {
  return {
    command: (order) => giveCommand(core, deliver, order),
    message: async (order) => sendMessage(core, order),
    messages: (view) => seenMessages(core, view),
    click: (order) => clickElement(core, deliver, order),
    views: (user) => openViews(core, user),
    submit: (order) => submitView(core, deliver, order),
    close: async (order) => closeView(core, deliver, order),
    suggest: (order) => suggestOptions(core, deliver, order),
    invite: async (order) => inviteBot(core, order),
  };
}
