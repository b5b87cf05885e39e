import { type Clock, type Instant, later, MINUTE } from '../../lib/clock.ts';
import {
  alertCardKey,
  type CardKey,
  type CardKeyParts,
  type CardKind,
  type ChannelId,
  channelId,
  type DeviceId,
  isCardKey,
  pauseId,
  readAlertCardId,
  readCardKey,
  requestCardKey,
  requestId,
  troubleId,
  type UserGroupId,
} from '../../lib/ids.ts';
import {
  HELD_BY_DEVICE,
  MAX_HELD_READ,
  mayWaitForDevices,
  offlineTargets,
  waitsOnlyForOffline,
} from '../../requests/decide/hold-rollout.ts';
import { EXPIRED_TOGETHER_MS, MAX_EXPIRED_TOGETHER } from '../../requests/decide/rules.ts';
import { readLineId } from '../../rollout/incidents.ts';
import { estimateRollout } from '../../rollout/plan.ts';
import type { RequestRecord, RequestWithTargets, TargetState } from '../../store/port/request-records.ts';
import type { Store } from '../../store/port/store.ts';
import { requestsWithTargets, requestWithTargets } from '../../store/requests-with-targets.ts';
import { alertStateOf } from '../../views/alerts/alert-text.ts';
import {
  type AlertCounts,
  type CardMessageState,
  cardMetadata,
  type StateCounts,
  withCardKey,
} from '../../views/kit/card-metadata.ts';
import { mapBothForms } from '../../views/kit/message.ts';
import type { RolloutDetails } from '../../views/models/request-model.ts';
import { isRollout, requestCardState } from '../../views/requests/request-label.ts';
import { renderView, type View } from '../../views/views.ts';
import type { CardMessage, MessageRef } from '../web-api/slack-web.ts';

type CardState = {
  readonly view: View;
  readonly state: CardMessageState;
  readonly counts?: StateCounts | undefined;
  readonly alert?: AlertCounts | undefined;
  readonly thread?: MessageRef | null;
};

export type CardContentOptions = {
  readonly linkTo: (place: MessageRef) => Promise<string | null>;
  /** The current name of the device's group; null where it is not known. */
  readonly groupOf: (device: DeviceId) => string | null;
  readonly clock: Pick<Clock, 'now'>;
  readonly ticketUrl?: string | undefined;
  /** The user groups that may approve anything. */
  readonly approverGroups: readonly UserGroupId[];
  /** Whether the approvals channel may show personal data. */
  readonly personal: boolean;
};

/** Reads the record behind `key` and renders it; null when the record is gone. */
export async function cardContent(
  store: Store,
  key: CardKey,
  { personal, ...context }: CardContentOptions,
): Promise<CardMessage | null> {
  const { kind, ...parts } = readCardKey(key);
  const tables = { ...store, ticketUrl: context.ticketUrl };
  const cardState = await readCardView(tables, { key, kind, ...parts }, context);
  if (cardState === null) return null;
  const thread = cardState.thread === undefined ? {} : { thread: cardState.thread };
  const view = cardState.view.kind === 'request' ? { ...cardState.view, shared: !personal } : cardState.view;
  const drawn = mapBothForms(renderView(view), (blocks) => withCardKey(blocks, key));
  return { ...drawn, metadata: cardMetadata(key, cardState), stage: rolloutStage(view), ...thread };
}

/** Of a rollout's card: what people wait for, as against its progress. */
function rolloutStage(view: View): string | undefined {
  if (view.kind !== 'request' || !isRollout(view.request)) return undefined;
  const { state, rollout, decidedBy, rules } = view.request;
  return [
    state,
    decidedBy,
    rules.approvals.length,
    rollout.hold?.kind ?? 'runs',
    rollout.hold?.at ?? '',
  ].join(' ');
}

type CardRef = CardKeyParts & { readonly key: CardKey };
type CardContext = Omit<CardContentOptions, 'personal'>;
/** With the tickets that reasons are to link. */
type Tables = Store & Pick<CardContentOptions, 'ticketUrl'>;

function readCardView(
  store: Tables,
  { kind, ...of }: CardRef,
  context: CardContext,
): Promise<CardState | null> {
  switch (kind) {
    case 'told':
      return readCompletionMessage(store, of.id, context);
    case 'returned':
      return readReturnedMessage(store, of, context);
    case 'line':
      return readThreadLine(store, of.id);
    case 'nudge':
      return readNudge(store, of.id, context);
    default:
      return readRecordView(store, { kind, ...of }, context);
  }
}

async function readRecordView(
  store: Tables,
  {
    key,
    kind,
    id,
    channel,
  }: CardRef & { readonly kind: Exclude<CardKind, 'told' | 'returned' | 'line' | 'nudge'> },
  { groupOf, linkTo, clock }: CardContext,
): Promise<CardState | null> {
  switch (kind) {
    case 'approval':
    case 'operation': {
      const request = await requestWithTargets(store, requestId(id));
      if (request === null) return null;
      const details = await rolloutDetails(store, request, clock);
      return { view: { kind: 'request', request, ...details }, ...requestCardState(request) };
    }
    case 'alert':
      return readAlert(store, { key, id }, { groupOf, linkTo });
    case 'silence':
    case 'silent':
      return channel && readSilence(store, { kind, number: Number(id), channel });
    case 'pause': {
      const pause = await store.pause.get(pauseId(id));
      return pause && { view: { kind: 'pause-card', pause }, state: 'posted' };
    }
    case 'trouble':
      return readTrouble(store, key, id);
  }
}

/** The completion message: how the request or command of another card ended, with a link to that card. */
async function readCompletionMessage(
  store: Tables,
  of: string,
  context: CardContext,
): Promise<CardState | null> {
  if (!isCardKey(of)) throw new Error(`a card that tells of nothing: ${of}`);
  const { kind, ...parts } = readCardKey(of);
  if (kind === 'told' || kind === 'returned' || kind === 'line' || kind === 'nudge') return null;
  const [cardState, link] = await Promise.all([
    readRecordView(store, { key: of, kind, ...parts }, context),
    cardLinkOf(store, of, context.linkTo),
  ]);
  if (cardState?.view.kind !== 'request') return null;
  const expired = await expiredWith(store, cardState.view.request);
  return { ...cardState, view: { ...cardState.view, kind: 'completion', link, expired } };
}

/** The requests of the same person that expired with the first one, which is among them; the oldest first. */
async function expiredWith(store: Tables, { state, requesterId, decidedAt: decidedFrom }: RequestRecord) {
  if (state !== 'expired' || decidedFrom === null) return [];
  const filter = { states: [state], requesterId, decidedFrom, oldestFirst: true } as const;
  const found = await requestsWithTargets(store, filter, MAX_EXPIRED_TOGETHER);
  const end = later(decidedFrom, EXPIRED_TOGETHER_MS);
  return found.filter(({ decidedAt }) => decidedAt !== null && decidedAt < end);
}

/** Sent to the requester or to an approver: the key's last part is the person. Without one, to all approvers in their channel. */
async function readReturnedMessage(
  store: Tables,
  { id, channel }: Pick<CardKeyParts, 'id' | 'channel'>,
  context: CardContext,
): Promise<CardState | null> {
  const [of = id, why] = id.split('.');
  const request = await requestWithTargets(store, requestId(of));
  if (request === null) return null;
  const link = await cardLinkOf(store, requestCardKey(request), context.linkTo);
  const toOne = channel === channelId(request.requesterId) ? 'requester' : 'approver';
  const to = channel === null ? 'approvers' : toOne;
  return { view: { kind: why === 'held' ? 'held' : 'returned', to, request, link }, state: 'posted' };
}

/** In the thread of the request's card, wherever that was posted. */
async function readThreadLine(store: Store, id: string): Promise<CardState | null> {
  const line = readLineId(id);
  const request = line && (await store.requests.get(line.request));
  if (line === null || request === null) return null;
  const [thread, waves] = await Promise.all([
    threadOf(store, request),
    store.requests.waveCounts(request.id),
  ]);
  if (thread === undefined) return null;
  return { view: { kind: 'rollout-line', request, incident: line.incident, waves }, state: 'posted', thread };
}

/** Null: not posted yet; undefined: its card is gone for good, and so is its thread. */
async function threadOf({ cards }: Store, request: RequestRecord): Promise<MessageRef | null | undefined> {
  const card = await cards.get(requestCardKey(request));
  if (card === null || card.failure !== null) return undefined;
  return card.postedChannel === null || card.ts === null
    ? null
    : { channel: card.postedChannel, ts: card.ts };
}

/** A mention that comes too late mentions nobody. */
async function readNudge(
  store: Tables,
  id: string,
  { approverGroups }: Pick<CardContext, 'approverGroups'>,
): Promise<CardState | null> {
  const [of = '', since, why] = id.split('.');
  const request = await requestWithTargets(store, requestId(of));
  if (request?.state !== 'waiting' || String(request.rules.since) !== since) return null;
  const thread = await threadOf(store, request);
  if (thread === undefined) return null;
  const nudge = why === 'escalate' ? 'escalate' : 'remind';
  return { view: { kind: 'nudge', request, nudge, approverGroups }, state: 'posted', thread };
}

/** Null where the card has no message. */
async function cardLinkOf(store: Store, key: CardKey, linkTo: CardContext['linkTo']): Promise<string | null> {
  const card = await store.cards.get(key);
  if (card === null || card.postedChannel === null || card.ts === null) return null;
  return linkTo({ channel: card.postedChannel, ts: card.ts });
}

/** The members that are on the alert's card in this channel; of a card that was replaced, where the newer one is. */
async function readAlert(
  store: Tables,
  { key, id }: Pick<CardRef, 'key' | 'id'>,
  { groupOf, linkTo }: Pick<CardContext, 'groupOf' | 'linkTo'>,
): Promise<CardState | null> {
  const { alert: of, generation } = readAlertCardId(id);
  const card = await store.cards.get(key);
  const alert = card && (await store.alerts.shown(of, card.channel));
  if (card === null || alert === null) return null;
  const state = alertStateOf(alert);
  // What ended before anybody saw it is no news.
  if (card.ts === null && state !== null && alert.open === 0) return null;
  const current = (await store.alerts.cards([of])).find(({ channel }) => channel === card.channel);
  const newer =
    current === undefined || current.generation === generation
      ? null
      : await store.cards.get(alertCardKey(current, alert.home));
  const counts = state === null ? undefined : { devices: alert.devices, fixed: alert.fixedDevices };
  if (newer?.postedChannel && newer.ts !== null) {
    const link = await linkTo({ channel: newer.postedChannel, ts: newer.ts });
    return { view: { kind: 'alert-moved', alert, link }, state: 'posted' };
  }
  const device = alert.devices === 1 ? alert.shown[0]?.deviceId : null;
  const group = device ? groupOf(device) : null;
  return {
    view: { kind: 'alert', alert, channel: card.channel, group },
    state: state ?? 'posted',
    alert: counts,
    // Until the newer one is posted, which nothing hinders while it has something to show.
    ...(newer?.failure === null && alert.open > 0 ? { thread: null } : {}),
  };
}

/** A short problem that ended before it was reported is not worth a message. */
async function readTrouble(store: Store, key: CardKey, id: string): Promise<CardState | null> {
  const [record, card] = await Promise.all([store.health.get(troubleId(id)), store.cards.get(key)]);
  if (record === null) return null;
  const { trouble, since, endedAt } = record;
  const isBrief = endedAt !== null && endedAt < later(since, MIN_REPORTED_MS);
  if (isBrief && card?.ts === null && trouble.kind !== 'new-database') return null;
  return { view: { kind: 'trouble', trouble, since, endedAt }, state: 'posted' };
}

const MIN_REPORTED_MS = 10 * MINUTE;

async function readSilence(
  store: Tables,
  {
    kind,
    number,
    channel,
  }: {
    readonly kind: 'silence' | 'silent';
    readonly number: number;
    readonly channel: ChannelId;
  },
): Promise<CardState | null> {
  const silence = await store.silences.get(number);
  if (silence === null) return null;
  if (kind === 'silent') return { view: { kind: 'silence-on', silence, channel }, state: 'posted' };
  const heldAlerts = await store.deliveries.silencedCounts(silence.number, channel);
  return { view: { kind: 'silence-over', silence, channel, kept: heldAlerts }, state: 'posted' };
}

/** Devices that are read to group them by cause: of those that failed, and of those that got nothing. */
const MAX_PROBLEMS = 200;

export async function rolloutDetails(
  { requests, targets }: Pick<Store, 'requests' | 'targets'>,
  request: RequestWithTargets,
  clock: Pick<Clock, 'now'>,
): Promise<{ readonly details?: RolloutDetails }> {
  const { id, rollout, state, counts } = request;
  if (rollout === null || state === 'waiting') return {};
  const read = (states: readonly TargetState[], limit: number) =>
    states.every((state) => (counts[state] ?? 0) === 0) ? [] : targets.of(id, { states, limit });
  const [waves, failed, unsent, held] = await Promise.all([
    requests.waveCounts(id),
    read(['not_verified', 'refused', 'unknown'], MAX_PROBLEMS),
    read(['not_sent'], MAX_PROBLEMS),
    mayWaitForDevices(request) ? read(HELD_BY_DEVICE, MAX_HELD_READ) : [],
  ]);
  const now = clock.now();
  const problems = [...failed, ...unsent];
  const offline = offlineTargets(held, now);
  const onlyOffline = waitsOnlyForOffline(request, { wave: waves[rollout.wave], offline: offline.length });
  return {
    details: { waves, problems, offline, onlyOffline, least: leastTime(request, now) },
  };
}

/** Of the wave that runs and those to come. A hold may last as long as it likes, and so may a gate. */
function leastTime(
  { action, rollout, startedAt }: RequestWithTargets,
  now: Instant,
): RolloutDetails['least'] {
  if (rollout === null || rollout.hold !== null || startedAt === null) return null;
  const { plan, wave, waveFrom } = rollout;
  const left = { ...plan, waves: plan.waves.slice(wave) };
  if (plan.gate === 'manual' && left.waves.length > 1) return null;
  const { ms } = estimateRollout({ kind: action.kind, plan: left });
  const from = waveFrom > startedAt ? waveFrom : startedAt;
  return later(from, ms) > now ? { from, ms } : null;
}
