/** Joins the Slack side: what the composition root needs to know of this folder. */
import type { Registry, SharedPorts } from '../commands/core/command.ts';
import { type Config, transportSecret } from '../config/config.ts';
import type { ConfigurationFile } from '../config/configuration-file.ts';
import { decideAccess } from '../lib/access.ts';
import { later } from '../lib/clock.ts';
import type { OnFailpoint } from '../lib/failpoints.ts';
import { type ChannelId, type PersonId, readCardKey, requestCardKey, requestId } from '../lib/ids.ts';
import type { Log } from '../lib/log.ts';
import type { RequestService } from '../requests/decide/request-service.ts';
import type { AlertSettingChanges } from '../store/port/alert-records.ts';
import type { Store } from '../store/port/store.ts';
import type { ClaimedWork } from '../store/port/work-records.ts';
import { renderView, type View } from '../views/views.ts';
import { createAccessRefusals } from './access/access-refusals.ts';
import { type ChannelReadersOf, createChannelReaders, READERS_TTL_MS } from './access/external-channels.ts';
import type { CachedRoleLookup, RoleLookup } from './access/role-lookup.ts';
import { type CardContentOptions, cardContent } from './cards/card-content.ts';
import { type CardOutbox, createCardOutbox } from './cards/card-outbox.ts';
import { createPressedCards } from './cards/duplicate-messages.ts';
import { createAlertSettings, createSettingsPort } from './command-ports/store-settings.ts';
import { createDispatch, withCommandPrefix } from './dispatch/dispatch.ts';
import { createInFlight, type Dispatch, type InFlight, interruptible } from './dispatch/dispatch-port.ts';
import { createRefreshRequestNote, type NoteOptions } from './dispatch/submit-request.ts';
import { createFormMark } from './forms/form-payloads.ts';
import { createForms, type FormsOptions } from './forms/forms.ts';
import { type AppHomeOptions, createAppHome } from './home/app-home.ts';
import {
  type ButtonActions,
  type ButtonActionsOptions,
  createButtonActions,
} from './interactions/button-actions.ts';
import { createInbox } from './interactions/inbox.ts';
import { createTextCommands, type TextCommandsOptions } from './interactions/text-commands.ts';
import { readChannelJoined } from './receiver/payloads.ts';
import {
  type BoltOptions,
  createSlackConnection,
  type SlackConnection,
} from './receiver/slack-connection.ts';
import { createDirectChannels, createPrivateReplies } from './replies/private-replies.ts';
import { createUnfurl, type UnfurlOptions } from './sharing/unfurl-links.ts';
import { createShortcuts, type ShortcutsOptions } from './shortcuts/shortcuts.ts';
import { slackErrorText } from './web-api/slack-errors.ts';
import type { Identity, SlackWeb } from './web-api/slack-web.ts';

export type SlackOptions = {
  readonly config: Config;
  readonly web: SlackWeb;
  readonly identity: Identity;
  readonly people: RoleLookup & CachedRoleLookup;
  readonly registry: Registry;
  readonly requests: RequestService;
  readonly alertDesk: AlertSettingChanges;
  readonly ports: SharedPorts;
  /** The name of the device's group for alert cards, from memory alone. */
  readonly groupOf: CardContentOptions['groupOf'];
  readonly store: Store;
  readonly log: Log;
  readonly wakeWorker: () => void;
  /** Slack refuses the app for this reason until a person fixes it. */
  readonly onFatal: (reason: string) => void;
  readonly onFailpoint?: OnFailpoint | undefined;
  readonly callTimeoutMs?: number | undefined;
};

export type Slack = Readonly<ReturnType<typeof createSlack>>;

export function createSlack(options: SlackOptions) {
  const { config, web, people, identity, ports, store, log } = options;
  const { configuration } = config;
  const { channels, personalChannels } = configuration;
  const { clock } = ports;
  const isPersonal = (channel: ChannelId): boolean => personalChannels.includes(channel);
  const cards = createCards(options, isPersonal(channels.approvals));
  const readersOf = createChannelReaders(web, configuration.externalChannels);
  const { recordRefusal, isForeign } = createAccessRefusals({ audit: store.audit, clock, log });
  const alerts = createAlertSettings({ store, changes: options.alertDesk, web, readersOf, channels });
  const approvalsChannel = channels.approvals;
  const shared = {
    ...options,
    clock,
    root: config.slack.command,
    cards,
    people,
    admins: () => configuration.roles.admin.people,
    personalFrom: configuration.personal,
    settings: createSettingsPort({ ...options, clock, approvalsChannel, alerts }),
    replies: createPrivateReplies({ web, log }),
    recordRefusal,
    formMark: createFormMark(transportSecret(config.slack)),
    approvalsChannel,
  };
  const dispatch = withCommandPrefix(createDispatch(shared), shared.root);
  const inFlight = createInFlight();
  const pressed = createPressedCards({ ...options, clock });
  const inbox = createInbox({ ...shared, dispatch, pressed });
  const { consoleUrl } = config.fleet;
  const access = { readersOf, isPersonal, configuration, channels };
  const { listeners, home } = createListeners({
    ...shared,
    ...access,
    dispatch,
    inFlight,
    inbox,
    pressed,
    consoleUrl,
    async resumeCards(channel) {
      await cards.resume(channel);
      options.wakeWorker();
    },
  });

  return {
    // Every change of a request, a command or an alert updates its card, so it may change a Home too.
    handleCardWork: (work: ClaimedWork) => cards.handleWork(work).finally(home.changed),
    handleInboxWork: (work: ClaimedWork) => inbox.handleWork(work).finally(home.changed),
    /** True where Slack does not say, so that their notifications are not lost. */
    mayRead: async (person: PersonId) => decideAccess(await people.roleOf(person), 'read') !== 'refused',
    checkShared: createCheckShared(options, readersOf),
    connect: (serving: Pick<BoltOptions, 'routes' | 'server' | 'onCounted'>): SlackConnection => {
      const { otherTeams } = configuration;
      const connection = createSlackConnection({
        ...shared,
        ...listeners,
        ...serving,
        isForeign: isForeign({ ...identity, otherTeams }),
      });
      return { ...connection, stop: () => home.stop().then(connection.stop) };
    },
    /** For a shutdown: waits for questions in flight; people who get no answer in time are asked to try again. */
    drain: inFlight.drain,
  };
}

/** Cards redrawn at once; more do not wait. */
const MAX_REDRAWN = 500;

/** Redraws cards of open requests where the channel for approvals became shared, or is so no more. */
function createCheckShared(
  { config, store, ports: { clock }, wakeWorker }: SlackOptions,
  readersOf: ChannelReadersOf,
): () => Promise<void> {
  let wasShared = false;
  return async () => {
    const readers = await readersOf(config.configuration.channels.approvals);
    if (readers === 'unknown' || (readers === 'external') === wasShared) return;
    wasShared = readers === 'external';
    const open = await store.requests.list({ states: ['waiting', 'approved', 'running'] }, MAX_REDRAWN);
    // By then what is cached about the channel is read again.
    const dueAt = later(clock.now(), READERS_TTL_MS);
    for (const request of open) await store.cards.enqueueUpdate(requestCardKey(request), dueAt);
    wakeWorker();
  };
}

/** The outbox of cards. `personal`: the approvals channel may show personal data. */
function createCards(options: SlackOptions, personal: boolean): CardOutbox {
  const { web, requests, ports, store, groupOf } = options;
  const { clock } = ports;
  const { configuration } = options.config;
  const { ticketUrl } = configuration;
  return createCardOutbox({
    ...options,
    clock,
    renderCard: (key) =>
      cardContent(store, key, {
        ...{ linkTo: web.permalink, groupOf, personal, clock, ticketUrl },
        approverGroups: configuration.roles.approver.userGroups,
      }),
    async onRefused(key, error) {
      const { kind, id } = readCardKey(key);
      if (kind !== 'approval') return;
      await requests.withdrawUnposted(requestId(id), { kind: 'unposted', why: error });
    },
  });
}

/** What the parts made here need of each other. */
type Joined = 'actions' | 'directs' | 'openForm' | 'refreshNote' | 'reply';

type ListenersOptions = Omit<
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

function createListeners(options: ListenersOptions) {
  const { dispatch, inFlight, replies, web, identity, approvalsChannel, consoleUrl = null } = options;
  const { ephemeral: reply } = replies;
  const forms = createForms({ ...options, reply });
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
  };
}

/** When the bot is added to a channel, it says in two lines what it can do there, and posts what waited for it. */
type Purpose = Extract<View, { kind: 'welcome' }>['purpose'];

type WelcomeOptions = {
  readonly web: SlackWeb;
  readonly botUserId: PersonId;
  readonly channels: ConfigurationFile['channels'];
  readonly root: string;
  /** Makes the cards due that wait for this channel. */
  readonly resumeCards: (channel: ChannelId) => Promise<void>;
  readonly log: Log;
};

/** Listener of `member_joined_channel`: acts when the bot itself joined. */
export function createWelcomeListener({ web, botUserId, channels, root, resumeCards, log }: WelcomeOptions) {
  return async (payload: unknown): Promise<void> => {
    const { user, channel } = readChannelJoined(payload);
    if (user !== botUserId) return;
    const message = renderView({
      kind: 'welcome',
      channel,
      purpose: channelPurpose(channels, channel),
      root,
    });
    const metadata = { event_type: 'patchbay_welcome', event_payload: {} };
    const posted = await web.post(channel, { ...message, metadata });
    if (posted.kind !== 'ok') {
      log.warn(
        { event: 'welcome.lost', channel, reason: slackErrorText(posted) },
        'could not post the welcome message',
      );
    }
    await resumeCards(channel);
  };
}

function channelPurpose(channels: ConfigurationFile['channels'], channel: ChannelId): Purpose {
  if (channel === channels.approvals) return 'approvals';
  if (channel === channels.patchAlerts) return 'patchAlerts';
  if (channel === channels.newDevices) return 'newDevices';
  return 'none';
}
