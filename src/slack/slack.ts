/** The Slack side, joined: what the composition root needs to know of this folder. */
import { judge } from '../access.ts';
import type { Desk } from '../approvals/desk.ts';
import type { SharedPorts } from '../commands/command.ts';
import type { Registry } from '../commands/registry.ts';
import type { Config } from '../config.ts';
import { approvalId, type ChannelId, type PersonId, readCardKey } from '../ids.ts';
import type { Log } from '../log.ts';
import type { OnStep } from '../steps.ts';
import type { AlertChanges } from '../store/alert-changes.ts';
import type { CardKey } from '../store/records.ts';
import type { Store } from '../store/store.ts';
import { type Actions, createActions } from './actions.ts';
import { createAlertSettings } from './alert-settings.ts';
import { createNoting } from './asking.ts';
import { type BoltOptions, type Connection, createConnection } from './bolt.ts';
import { type CardContentOptions, cardContent } from './cards/card-content.ts';
import { type Cards, createCards } from './cards/cards.ts';
import { createPressedCards } from './cards/pressed-cards.ts';
import { createConversation } from './conversation.ts';
import { createDirects } from './directs.ts';
import { createDispatch } from './dispatch.ts';
import { createReach } from './external.ts';
import { createForms, type Forms } from './forms/forms.ts';
import { createHome } from './home/home.ts';
import { createInFlight, interruptible } from './in-flight.ts';
import { createInbox, type Inbox } from './inbox.ts';
import { createPeople } from './people.ts';
import { createRefusals } from './refusals.ts';
import { createReplies } from './replies.ts';
import { withRoot } from './rooted.ts';
import { createSettings } from './settings.ts';
import { createUnfurl } from './sharing/unfurl.ts';
import { createShortcuts } from './shortcuts/shortcuts.ts';
import type { Identity, SlackWeb } from './web.ts';
import { createWelcome } from './welcome.ts';

export type SlackOptions = {
  readonly config: Config;
  readonly web: SlackWeb;
  readonly identity: Identity;
  readonly registry: Registry;
  readonly desk: Desk;
  readonly alertDesk: AlertChanges;
  readonly ports: SharedPorts;
  /** For cards of alerts: the name of the device's group, from memory alone. */
  readonly groupOf: CardContentOptions['groupOf'];
  readonly store: Store;
  readonly log: Log;
  /** Wakes the worker. */
  readonly kick: () => void;
  /** Slack does not let us in any more, for this reason, until a person mends it. */
  readonly onFatal: (reason: string) => void;
  readonly onStep?: OnStep | undefined;
  readonly settleMs?: number | undefined;
};

export type Slack = {
  /** Handler of `card` work. */
  readonly deliver: Cards['deliver'];
  /** Handler of `click` work. */
  readonly workOff: Inbox['workOff'];
  /** Handler of `form` work. */
  readonly workOffForm: Forms['workOff'];
  /** Whether a person may look. True where Slack does not say: what they asked to be told is not lost by that. */
  readonly mayRead: (person: PersonId) => Promise<boolean>;
  readonly connect: (serving: Pick<BoltOptions, 'routes' | 'server'>) => Connection;
  /** For a stop: waits for the questions under way; who is not answered in time is told to ask again. */
  readonly answerAll: () => Promise<void>;
};

export function createSlack(options: SlackOptions): Slack {
  const { config, web, identity, registry, desk, ports, store, log, kick, onStep } = options;
  const { clock } = ports;
  const { channels, personal: personalFrom, personalChannels } = config.policy;
  const isPersonal = (channel: ChannelId): boolean => personalChannels.includes(channel);
  const root = config.slack.command;

  const onRefused = async (key: CardKey, error: string): Promise<void> => {
    const { kind, id } = readCardKey(key);
    if (kind !== 'approval') return;
    await desk.withdrawUnposted(approvalId(id), `Slack couldn’t show the card: ${error}`);
  };
  const cards = createCards({
    store,
    web,
    clock,
    log,
    content: (key) =>
      cardContent(store, key, {
        linkTo: web.permalink,
        groupOf: options.groupOf,
        personal: isPersonal(channels.approvals),
        root,
      }),
    identity,
    onRefused,
    onStep,
    settleMs: options.settleMs,
  });
  const pressed = createPressedCards({ store, web, clock, kick });
  const admins = config.policy.roles.admin.people;
  const reachOf = createReach(web, config.policy.externalChannels);
  const { noted, isForeign } = createRefusals({ audit: store.audit, clock, log });
  const people = createPeople({ policy: config.policy, web, clock, log });
  const replies = createReplies({ web, log });
  const alerts = createAlertSettings({ store, changes: options.alertDesk, web, reachOf, channels });
  const settings = createSettings({
    store,
    web,
    clock,
    approvalsChannel: channels.approvals,
    kick,
    alerts,
  });
  const answering = createDispatch({
    registry,
    people,
    desk,
    cards,
    web,
    ports,
    personalFrom,
    settings,
    approvalsChannel: channels.approvals,
    root,
    admins,
    noted,
    log,
  });
  const dispatch = withRoot(answering, root);
  const inFlight = createInFlight();
  const asking = interruptible(dispatch, inFlight);
  const inbox = createInbox({ store, clock, dispatch, replies, pressed, onStep });
  const tell = replies.ephemeral;
  const told = { registry, dispatch, inbox, web, kick, log };
  const { whisper, direct } = replies;
  const forms = createForms({
    ...told,
    inFlight,
    noted,
    store,
    people,
    ports,
    personalFrom,
    settings,
    admins,
    tell,
    whisper,
    direct,
    onStep,
    root,
  });
  const openForm = forms.open;
  const directs = createDirects(web, channels.approvals);
  const conversation = createConversation({
    dispatch: asking,
    replies,
    openForm,
    identity,
    root,
    clock,
    consoleUrl: config.fleet.consoleUrl,
  });
  const note = createNoting({ cards, web, approvalsChannel: channels.approvals });
  const actions = createActions({
    ...told,
    dispatch: asking,
    desk,
    note,
    replies,
    openForm,
    reachOf,
    isPersonal,
  });
  const onJoined = createWelcome({ web, botUserId: identity.botUserId, channels, root, log });
  const onLink = createUnfurl({ template: config.fleet.consoleUrl, web, people, reachOf, ports, log });
  const home = createHome({
    store,
    web,
    people,
    ports,
    policy: config.policy,
    root,
    actions,
    openForm,
    directs,
    tell,
    log,
  });
  const shortcuts = createShortcuts({
    dispatch: asking,
    inFlight,
    noted,
    people,
    personalFrom,
    admins,
    ports,
    store,
    web,
    directs,
    openForm,
    tell,
    log,
  });
  const press: Actions['press'] = (payload, ack, respond) => {
    if (forms.takes(payload)) return forms.press(payload, ack);
    return home.takes(payload) ? home.press(payload, ack) : actions.press(payload, ack, respond);
  };
  const submit: Actions['submit'] = (payload, ack) =>
    forms.takes(payload) ? forms.submit(payload, ack) : actions.submit(payload, ack);

  return {
    // Every change of a request, a command or an alert wants its card shown anew.
    deliver: (work) => cards.deliver(work).finally(home.changed),
    workOff: inbox.workOff,
    workOffForm: forms.workOff,
    mayRead: async (person) => judge(await people.roleOf(person), 'read') !== 'refused',
    connect: (serving) => {
      const connection = createConnection({
        config,
        root,
        identity,
        conversation: {
          slash: inFlight.during(conversation.slash),
          spoken: inFlight.during(conversation.spoken),
        },
        actions: { press: inFlight.during(press), submit: inFlight.during(submit) },
        forms,
        onShortcut: inFlight.during(shortcuts),
        onJoined,
        onHome: home.opened,
        onLink,
        onFatal: options.onFatal,
        ...serving,
        isForeign: isForeign({ ...identity, otherTeams: config.policy.otherTeams }),
        clock,
        log,
      });
      return { ...connection, stop: () => home.stop().then(connection.stop) };
    },
    answerAll: inFlight.drain,
  };
}
