/** Processes of one bot on one store: one may handle days later what another one stored. */

import { registry } from '../../../src/commands/index.ts';
import { MINUTE } from '../../../src/lib/clock.ts';
import { channelId, messageTs, organizationId, personId } from '../../../src/lib/ids.ts';
import { silentLog } from '../../../src/lib/log.ts';
import { createRequestService } from '../../../src/requests/decide/request-service.ts';
import { createPressedCards } from '../../../src/slack/cards/duplicate-messages.ts';
import { createRecordsReader } from '../../../src/slack/command-ports/store-settings.ts';
import { createDispatch } from '../../../src/slack/dispatch/dispatch.ts';
import { createInbox, type Interaction } from '../../../src/slack/interactions/inbox.ts';
import { createTextCommands } from '../../../src/slack/interactions/text-commands.ts';
import { createPrivateReplies } from '../../../src/slack/replies/private-replies.ts';
import type { SlackWeb } from '../../../src/slack/web-api/slack-web.ts';
import { createWorker, type Worker } from '../../../src/store/due-work/worker.ts';
import type { Store } from '../../../src/store/port/store.ts';
import { withTargets } from '../../../src/store/requests-with-targets.ts';
import type { RenderedMessage } from '../../../src/views/types.ts';
import { createFakeSettings } from '../../commands/harness/fake-settings.ts';
import { testPorts } from '../../commands/harness/ports.ts';
import { aDevice, aGroup, START } from '../../harness/builders.ts';
import { memoryStore } from '../../harness/memory-store.ts';
import { NO_GROUPS } from '../../harness/rules.ts';
import { createFakeSlackWeb } from './fake-slack-web.ts';
import { withoutRecording } from './open-access.ts';

const ORGANIZATION = organizationId(7);
export const APPROVALS = channelId('C0APPROVALS');
const CARD = { channel: APPROVALS, ts: messageTs('8.000001') };
export const CALLER = { person: personId('U0ANN'), channel: channelId('C0OPS') };

export async function createReplicasHarness(devices = [aDevice()], around = (store: Store): Store => store) {
  const store = around(await memoryStore(ORGANIZATION));
  const { ports: given, clock, fleet } = testPorts({ devices, groups: [aGroup()] });
  /**
   * Notifications by place; `fails`: this many direct messages are refused first; `posts`: cards are posted in time.
   */
  const notified: { readonly where: string; readonly message: RenderedMessage }[] = [];
  const trouble = { fails: 0, posts: false };
  const web: SlackWeb = {
    ...createFakeSlackWeb(() => START),
    say: async (channel, message) => {
      if (trouble.fails-- > 0) return { kind: 'uncertain', detail: 'no answer', inFlight: false };
      notified.push({ where: channel, message });
      return { kind: 'ok', value: { channel, ts: messageTs('9.000001') } };
    },
    ephemeral: async (channel, _person, message) => {
      notified.push({ where: `ephemeral ${channel}`, message });
      return { kind: 'ok', value: null };
    },
    showView: async (_where, { blocks }) => {
      notified.push({ where: 'window', message: { text: JSON.stringify(blocks), blocks } });
      return { kind: 'ok', value: { id: 'V1', hash: 'h' } };
    },
  };
  const settings = createFakeSettings();
  const ports = { ...given, records: createRecordsReader({ store, clock, web }) };
  const wakeWorker = () => undefined;
  const channels = { approvals: APPROVALS };
  const organization = { organizationId: ORGANIZATION, channels };
  const requests = createRequestService({ store, clock, ...organization, maxAgeMs: 15 * MINUTE, wakeWorker });
  const workers: Worker[] = [];

  /** Another process on the same store. */
  const start = () => {
    const dispatch = createDispatch({
      registry,
      ports,
      settings,
      people: { roleOf: async () => ({ role: 'admin', maybe: null }), ...NO_GROUPS },
      recordRefusal: withoutRecording,
      requests,
      cards: {
        whenPosted: async () => (trouble.posts ? { kind: 'posted', message: CARD } : { kind: 'delayed' }),
      },
      web,
      approvalsChannel: APPROVALS,
      root: '/fleet',
      admins: () => [],
      log: silentLog,
    });
    const replies = createPrivateReplies({ web, log: silentLog });
    const pressed = createPressedCards({ store, web, clock, wakeWorker });
    const inbox = createInbox({
      ...{ store, clock, registry, dispatch, pressed, web, replies, wakeWorker },
      log: silentLog,
    });
    /** False: it was stored before. */
    const take = (interaction: Interaction, key = 'press:t1'): Promise<boolean> =>
      inbox.take({
        ...{ key, interaction, accept: async () => null },
        refuse: ({ kind }) => Promise.reject(new Error(kind)),
      });
    const { onMessage } = createTextCommands({
      dispatch,
      replies,
      openForm: async () => null,
      identity: { botUserId: personId('U0BOT') },
      root: '/fleet',
      clock,
    });
    const work = (): void => {
      const handlers = { inbox: inbox.handleWork };
      const worker = createWorker({ store, clock, handlers, log: silentLog, onError: () => undefined });
      workers.push(worker);
      worker.start();
    };
    return { requests, dispatch, take, spoken: onMessage, work };
  };
  const close = async (): Promise<void> => {
    for (const worker of workers) await worker.stop();
    await store.close();
  };
  /** All requests, the newest first. */
  const requested = async () =>
    Promise.all((await store.requests.list({}, 50)).map((request) => withTargets(store, request)));
  return { store, clock, requests, settings, fleet, told: notified, trouble, start, requested, close };
}
export type ReplicasHarness = Awaited<ReturnType<typeof createReplicasHarness>>;
