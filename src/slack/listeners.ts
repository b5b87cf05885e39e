/** Joins what answers people in Slack: typed lines, buttons, forms, the Home, shortcuts and links. */
import type { ChannelId } from '../lib/ids.ts';
import type { Dispatch } from './dispatch/dispatch-port.ts';
import { type InFlight, interruptible } from './dispatch/in-flight.ts';
import { createRefreshRequestNote, type NoteOptions } from './dispatch/submit-request.ts';
import { createForms, type Forms, type FormsOptions } from './forms/forms.ts';
import { type AppHome, type AppHomeOptions, createAppHome } from './home/app-home.ts';
import {
  type ButtonActions,
  type ButtonActionsOptions,
  createButtonActions,
} from './interactions/button-actions.ts';
import { createTextCommands, type TextCommandsOptions } from './interactions/text-commands.ts';
import { createWelcomeListener, type WelcomeOptions } from './interactions/welcome.ts';
import type { BoltOptions } from './receiver/bolt-app.ts';
import { createDirectChannels } from './replies/direct-channels.ts';
import { createUnfurl, type UnfurlOptions } from './sharing/unfurl-links.ts';
import { createShortcuts, type ShortcutsOptions } from './shortcuts/shortcuts.ts';

/** What the parts made here need of each other. */
type Joined = 'actions' | 'directs' | 'openForm' | 'refreshNote' | 'reply' | 'sendEphemeral' | 'sendDirect';

export type ListenersOptions = Omit<
  FormsOptions & ShortcutsOptions & ButtonActionsOptions & TextCommandsOptions & AppHomeOptions,
  Joined
> &
  NoteOptions &
  Omit<WelcomeOptions, 'botUserId'> &
  Omit<UnfurlOptions, 'template'> & {
    readonly dispatch: Dispatch;
    readonly inFlight: InFlight;
    readonly approvalsChannel: ChannelId;
  };

export type Listeners = {
  readonly listeners: Pick<
    BoltOptions,
    'conversation' | 'actions' | 'forms' | 'onShortcut' | 'onChannelJoined' | 'onHomeOpened' | 'onLinkShared'
  >;
  readonly home: Pick<AppHome, 'changed' | 'stop'>;
  readonly handleFormWork: Forms['handleWork'];
};

export function createListeners(options: ListenersOptions): Listeners {
  const { dispatch, inFlight, replies, web, identity, approvalsChannel, consoleUrl = null } = options;
  const { ephemeral: reply, sendEphemeral, sendDirect } = replies;
  const forms = createForms({ ...options, reply, sendEphemeral, sendDirect });
  const shared = {
    ...options,
    dispatch: interruptible(dispatch, inFlight),
    openForm: forms.open,
    directs: createDirectChannels(web, approvalsChannel),
    refreshNote: createRefreshRequestNote(options),
    reply,
  };
  const conversation = createTextCommands(shared);
  const actions = createButtonActions(shared);
  const home = createAppHome({ ...shared, actions });

  const press: ButtonActions['press'] = (payload, ack, respond) => {
    if (forms.isFormPayload(payload)) return forms.onPress(payload, ack);
    return home.isHomeAction(payload) ? home.onAction(payload, ack) : actions.press(payload, ack, respond);
  };
  const submit: ButtonActions['submit'] = (payload, ack) =>
    forms.isFormPayload(payload) ? forms.onSubmit(payload, ack) : actions.submit(payload, ack);

  return {
    listeners: {
      conversation: {
        onSlashCommand: inFlight.track(conversation.onSlashCommand),
        onMessage: inFlight.track(conversation.onMessage),
      },
      actions: { press: inFlight.track(press), submit: inFlight.track(submit) },
      forms,
      onShortcut: inFlight.track(createShortcuts(shared)),
      onChannelJoined: createWelcomeListener({ ...options, botUserId: identity.botUserId }),
      onHomeOpened: home.opened,
      onLinkShared: createUnfurl({ ...options, template: consoleUrl }),
    },
    home,
    handleFormWork: forms.handleWork,
  };
}
