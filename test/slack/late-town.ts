/** Processes of one bot on one store: what one of them took may be worked off by another, days later. */
import { createDesk } from '../../src/approvals/desk.ts';
import { registry } from '../../src/commands/index.ts';
import { channelId, messageTs, organizationId, personId } from '../../src/ids.ts';
import { silentLog } from '../../src/log.ts';
import { createPressedCards } from '../../src/slack/cards/pressed-cards.ts';
import { createConversation } from '../../src/slack/conversation.ts';
import { createDispatch } from '../../src/slack/dispatch.ts';
import { createKeptForms } from '../../src/slack/forms/forms-kept.ts';
import { createInbox } from '../../src/slack/inbox.ts';
import { createRecords } from '../../src/slack/records.ts';
import { createReplies } from '../../src/slack/replies.ts';
import type { SlackWeb } from '../../src/slack/web.ts';
import { createWorker, type Worker } from '../../src/store/worker.ts';
import type { RenderedMessage } from '../../src/views/model.ts';
import { createFakeSettings } from '../commands/fake-settings.ts';
import { testPorts } from '../commands/ports.ts';
import { aDevice, aGroup, START } from '../harness/builders.ts';
import { memoryStore } from '../harness/memory-store.ts';
import { unnoted } from './doors.ts';
import { createFakeWeb } from './fake-web.ts';

const ORGANIZATION = organizationId(7);
export const APPROVALS = channelId('C0APPROVALS');
const CARD = { channel: APPROVALS, ts: messageTs('8.000001') };
export const CALLER = { person: personId('U0ANN'), channel: channelId('C0OPS') };

export async function createLateTown(devices = [aDevice()]) {
  const store = await memoryStore(ORGANIZATION);
  const { ports: given, clock, fleet } = testPorts({ devices, groups: [aGroup()] });
  /** What was told, by where; `fails`: so many direct messages are not taken first; `posts`: cards are posted in time. */
  const told: { readonly where: string; readonly message: RenderedMessage }[] = [];
  const trouble = { fails: 0, posts: false };
  const web: SlackWeb = {
    ...createFakeWeb(() => START),
    say: async (channel, message) => {
      if (trouble.fails-- > 0) return { kind: 'uncertain', detail: 'no answer', inFlight: false };
      told.push({ where: channel, message });
      return { kind: 'ok', value: { channel, ts: messageTs('9.000001') } };
    },
    ephemeral: async (channel, _person, message) => {
      told.push({ where: `ephemeral ${channel}`, message });
      return { kind: 'ok', value: null };
    },
    updateView: async (_id, { blocks }) => {
      told.push({ where: 'window', message: { text: JSON.stringify(blocks), blocks } });
      return { kind: 'ok', value: null };
    },
  };
  const settings = createFakeSettings();
  const ports = { ...given, records: createRecords({ store, web }) };
  const kick = () => undefined;
  const channels = { approvals: APPROVALS };
  const desk = createDesk({ store, clock, organizationId: ORGANIZATION, channels, kick });
  const workers: Worker[] = [];

  /** Another process, on the same store. */
  const start = () => {
    const dispatch = createDispatch({
      registry,
      ports,
      settings,
      people: { roleOf: async () => ({ role: 'admin', maybe: null }) },
      noted: unnoted,
      desk,
      cards: {
        whenPosted: async () => (trouble.posts ? { kind: 'posted', place: CARD } : { kind: 'delayed' }),
      },
      web,
      approvalsChannel: APPROVALS,
      root: '/fleet',
      admins: [],
      log: silentLog,
    });
    const replies = createReplies({ web, log: silentLog });
    const pressed = createPressedCards({ store, web, clock, kick });
    const inbox = createInbox({ store, clock, dispatch, replies, pressed });
    const { spoken } = createConversation({
      dispatch,
      replies,
      openForm: async () => null,
      identity: { botUserId: personId('U0BOT') },
      root: '/fleet',
      clock,
    });
    const { whisper, direct } = replies;
    const asks = { registry, dispatch, web, whisper, direct, root: '/fleet', log: silentLog };
    const forms = createKeptForms({ ...asks, store, clock });
    const work = (): void => {
      const handlers = { click: inbox.workOff, form: forms.workOff };
      const worker = createWorker({ store, clock, handlers, log: silentLog, onError: () => undefined });
      workers.push(worker);
      worker.start();
    };
    return { dispatch, inbox, forms, spoken, work };
  };
  const close = async (): Promise<void> => {
    for (const worker of workers) await worker.stop();
    await store.close();
  };
  const requested = async () => [
    ...(await store.operations.recent(10)),
    ...(await store.approvals.list({}, 10)),
  ];
  return { store, clock, desk, settings, fleet, told, trouble, start, requested, close };
}
export type LateTown = Awaited<ReturnType<typeof createLateTown>>;
