/** Joins the Slack side: what the composition root needs to know of this folder. */

import type { SharedPorts } from '../commands/core/command.ts';
import type { Registry } from '../commands/core/registry.ts';
import type { Config } from '../config/config.ts';
import { decideAccess } from '../lib/access.ts';
import type { OnFailpoint } from '../lib/failpoints.ts';
import { type ChannelId, type PersonId, readCardKey, requestId } from '../lib/ids.ts';
import type { Log } from '../lib/log.ts';
import type { RequestService } from '../requests/decide/request-service.ts';
import type { AlertSettingChanges } from '../store/port/alert-changes.ts';
import type { CardKey } from '../store/port/records.ts';
import type { Store } from '../store/port/store.ts';
import { createAccessRefusals } from './access/access-refusals.ts';
import { createChannelReaders } from './access/external-channels.ts';
import { createRoleLookup } from './access/role-lookup.ts';
import { type CardContentOptions, cardContent } from './cards/card-content.ts';
import { type CardOutbox, createCardOutbox } from './cards/card-outbox.ts';
import { createPressedCards } from './cards/pressed-cards.ts';
import { createAlertSettings } from './command-ports/alert-settings.ts';
import { createSettingsPort } from './command-ports/store-settings.ts';
import { withCommandPrefix } from './dispatch/command-prefix.ts';
import { createDispatch } from './dispatch/dispatch.ts';
import { createInFlight, interruptible } from './dispatch/in-flight.ts';
import { createRefreshRequestNote } from './dispatch/submit-request.ts';
import { createForms, type Forms } from './forms/forms.ts';
import { createAppHome } from './home/app-home.ts';
import { type ButtonActions, createButtonActions } from './interactions/button-actions.ts';
import { createPressQueue, type PressQueue } from './interactions/press-queue.ts';
import { createTextCommands } from './interactions/text-commands.ts';
import { createWelcomeListener } from './interactions/welcome.ts';
import { type BoltOptions, createSlackConnection, type SlackConnection } from './receiver/bolt-app.ts';
import { createDirectChannels } from './replies/direct-channels.ts';
import { createPrivateReplies } from './replies/private-replies.ts';
import { createUnfurl } from './sharing/unfurl-links.ts';
import { createShortcuts } from './shortcuts/shortcuts.ts';
import type { Identity, SlackWeb } from './web-api/slack-web.ts';

export type SlackOptions = {
  readonly config: Config;
  readonly web: SlackWeb;
  readonly identity: Identity;
  readonly registry: Registry;
  readonly requests: RequestService;
  readonly alertDesk: AlertSettingChanges;
  readonly ports: SharedPorts;
  /** The name of the device's group for alert cards, from memory alone. */
  readonly groupOf: CardContentOptions['groupOf'];
  readonly store: Store;
  readonly log: Log;
  /** Wakes the worker. */
  readonly wakeWorker: () => void;
  /** Slack refuses the app for this reason until a person fixes it. */
  readonly onFatal: (reason: string) => void;
  readonly onFailpoint?: OnFailpoint | undefined;
  readonly callTimeoutMs?: number | undefined;
};

export type Slack = {
  /** Handler of `card` work. */
  readonly handleCardWork: CardOutbox['handleWork'];
  /** Handler of `click` work. */
  readonly handlePressWork: PressQueue['handleWork'];
  /** Handler of `form` work. */
  readonly handleFormWork: Forms['handleWork'];
  /** Whether a person may read. True where Slack does not say, so that their notifications are not lost. */
  readonly mayRead: (person: PersonId) => Promise<boolean>;
  readonly connect: (serving: Pick<BoltOptions, 'routes' | 'server'>) => SlackConnection;
  /** For a shutdown: waits for questions in flight; people who get no answer in time are asked to try again. */
  readonly drain: () => Promise<void>;
};

export function createSlack(options: SlackOptions): Slack {
  const { config, web, identity, registry, requests, ports, store, log, wakeWorker, onFailpoint } = options;
  const { clock } = ports;
  const { channels, personal: personalFrom, personalChannels } = config.configuration;
  const isPersonal = (channel: ChannelId): boolean => personalChannels.includes(channel);
  const root = config.slack.command;

  const onRefused = async (key: CardKey, error: string): Promise<void> => {
    const { kind, id } = readCardKey(key);
    if (kind !== 'approval') return;
    await requests.withdrawUnposted(requestId(id), { kind: 'unposted', why: error });
  };
  const cards = createCardOutbox({
    store,
    web,
    clock,
    log,
    renderCard: (key) =>
      cardContent(store, key, {
        linkTo: web.permalink,
        groupOf: options.groupOf,
        personal: isPersonal(channels.approvals),
      }),
    identity,
    onRefused,
    onFailpoint,
    callTimeoutMs: options.callTimeoutMs,
  });
  const pressedCards = createPressedCards({ store, web, clock, wakeWorker });
  const admins = config.configuration.roles.admin.people;
  const readersOf = createChannelReaders(web, config.configuration.externalChannels);
  const { recordRefusal, isForeign } = createAccessRefusals({ audit: store.audit, clock, log });
  const people = createRoleLookup({ configuration: config.configuration, web, clock, log });
  const replies = createPrivateReplies({ web, log });
  const alerts = createAlertSettings({ store, changes: options.alertDesk, web, readersOf, channels });
  const settings = createSettingsPort({
    store,
    web,
    clock,
    approvalsChannel: channels.approvals,
    wakeWorker,
    alerts,
  });
  const plainDispatch = createDispatch({
    registry,
    people,
    requests,
    cards,
    web,
    ports,
    personalFrom,
    settings,
    approvalsChannel: channels.approvals,
    root,
    admins,
    recordRefusal,
    log,
  });
  const dispatch = withCommandPrefix(plainDispatch, root);
  const inFlight = createInFlight();
  const interruptibleDispatch = interruptible(dispatch, inFlight);
  const inbox = createPressQueue({ store, clock, dispatch, replies, pressed: pressedCards, onFailpoint });
  const reply = replies.ephemeral;
  const shared = { registry, dispatch, inbox, web, wakeWorker, log };
  const { sendEphemeral, sendDirect } = replies;
  const forms = createForms({
    ...shared,
    inFlight,
    recordRefusal,
    store,
    people,
    ports,
    personalFrom,
    settings,
    admins,
    reply,
    sendEphemeral,
    sendDirect,
    onFailpoint,
    root,
  });
  const openForm = forms.open;
  const directs = createDirectChannels(web, channels.approvals);
  const conversation = createTextCommands({
    dispatch: interruptibleDispatch,
    replies,
    openForm,
    identity,
    root,
    clock,
    consoleUrl: config.fleet.consoleUrl,
  });
  const refreshNote = createRefreshRequestNote({ cards, web, ports, approvalsChannel: channels.approvals });
  const actions = createButtonActions({
    ...shared,
    dispatch: interruptibleDispatch,
    requests,
    ports,
    refreshNote,
    replies,
    openForm,
    readersOf,
    isPersonal,
  });
  const resumeCards = async (channel: ChannelId): Promise<void> => {
    await cards.resume(channel);
    wakeWorker();
  };
  const { botUserId } = identity;
  const onChannelJoined = createWelcomeListener({ web, botUserId, channels, root, resumeCards, log });
  const onLinkShared = createUnfurl({
    template: config.fleet.consoleUrl,
    web,
    people,
    readersOf,
    ports,
    log,
  });
  const home = createAppHome({
    store,
    web,
    people,
    ports,
    configuration: config.configuration,
    root,
    actions,
    openForm,
    directs,
    reply,
    log,
  });
  const shortcuts = createShortcuts({
    dispatch: interruptibleDispatch,
    inFlight,
    recordRefusal,
    people,
    personalFrom,
    admins,
    ports,
    store,
    web,
    directs,
    openForm,
    reply,
    log,
  });
  const press: ButtonActions['press'] = (payload, ack, respond) => {
    if (forms.isFormPayload(payload)) return forms.onPress(payload, ack);
    return home.isHomeAction(payload) ? home.onAction(payload, ack) : actions.press(payload, ack, respond);
  };
  const submit: ButtonActions['submit'] = (payload, ack) =>
    forms.isFormPayload(payload) ? forms.onSubmit(payload, ack) : actions.submit(payload, ack);

  return {
    // Every change of a request, a command or an alert updates its card, so it may change a Home too.
    handleCardWork: (work) => cards.handleWork(work).finally(home.changed),
    handlePressWork: inbox.handleWork,
    handleFormWork: forms.handleWork,
    mayRead: async (person) => decideAccess(await people.roleOf(person), 'read') !== 'refused',
    connect: (serving) => {
      const connection = createSlackConnection({
        config,
        root,
        identity,
        conversation: {
          onSlashCommand: inFlight.track(conversation.onSlashCommand),
          onMessage: inFlight.track(conversation.onMessage),
        },
        actions: { press: inFlight.track(press), submit: inFlight.track(submit) },
        forms,
        onShortcut: inFlight.track(shortcuts),
        onChannelJoined,
        onHomeOpened: home.opened,
        onLinkShared,
        onFatal: options.onFatal,
        ...serving,
        isForeign: isForeign({ ...identity, otherTeams: config.configuration.otherTeams }),
        clock,
        log,
      });
      return { ...connection, stop: () => home.stop().then(connection.stop) };
    },
    drain: inFlight.drain,
  };
}
