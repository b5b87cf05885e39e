/** What a card shows now: its record, drawn. */
import { later, MINUTE } from '../../clock.ts';
import {
  alertId,
  approvalId,
  type CardKind,
  type CardParts,
  type ChannelId,
  cardKey,
  channelId,
  type DeviceId,
  isCardKey,
  operationId,
  pauseId,
  readCardKey,
  troubleId,
} from '../../ids.ts';
import type { CardKey } from '../../store/records.ts';
import type { Store } from '../../store/store.ts';
import { STORM_NAMES } from '../../views/alerts/storm.ts';
import { ofCard } from '../../views/kit/card-blocks.ts';
import { inEachForm } from '../../views/kit/message.ts';
import { cardMetadata, type MessageState } from '../../views/kit/metadata.ts';
import type { View } from '../../views/model.ts';
import { render } from '../../views/render.ts';
import { cardState, operationState } from '../../views/states.ts';
import type { CardMessage, Place } from '../web.ts';

type Shown = { readonly view: View; readonly state: MessageState };

export type CardContentOptions = {
  readonly linkTo: (place: Place) => Promise<string | null>;
  /** The name of the device's group now; null where that is not known. */
  readonly groupOf: (device: DeviceId) => string | null;
  /** Whether the channel of requests is shown what is personal. */
  readonly personal: boolean;
  readonly root: string;
};

/** Reads the record behind `key` and draws it; null when there is none. */
export async function cardContent(
  store: Store,
  key: CardKey,
  { personal, ...around }: CardContentOptions,
): Promise<CardMessage | null> {
  const { kind, ...parts } = readCardKey(key);
  const shown = await readAny(store, { key, kind, ...parts }, around);
  if (shown === null) return null;
  const view = shown.view.kind === 'approval' ? { ...shown.view, shared: !personal } : shown.view;
  const drawn = inEachForm(render(view), (blocks) => ofCard(blocks, key));
  return { ...drawn, metadata: cardMetadata(key, shown.state) };
}

type Any = CardParts & { readonly key: CardKey };
type OfThing = Any & { readonly kind: Exclude<CardKind, 'told' | 'returned'> };
type Around = Omit<CardContentOptions, 'personal'>;

function readAny(store: Store, { kind, ...of }: Any, around: Around): Promise<Shown | null> {
  switch (kind) {
    case 'told':
      return readTold(store, of.id, around);
    case 'returned':
      return readReturned(store, of, around);
    default:
      return readShown(store, { kind, ...of }, around);
  }
}

async function readShown(
  store: Store,
  { key, kind, id, channel }: OfThing,
  { groupOf, root }: Around,
): Promise<Shown | null> {
  switch (kind) {
    case 'approval': {
      const approval = await store.approvals.get(approvalId(id));
      if (approval === null) return null;
      const operation =
        approval.operationId === null ? null : await store.operations.get(approval.operationId);
      return { view: { kind: 'approval', approval, operation }, state: cardState(approval, operation) };
    }
    case 'operation': {
      const operation = await store.operations.get(operationId(id));
      return operation && { view: { kind: 'operation', operation }, state: operationState(operation) };
    }
    case 'alert':
      return readAlert(store, { key, id, groupOf });
    case 'silence':
    case 'silent':
      return channel && readSilence(store, { kind, number: Number(id), channel, root });
    case 'pause': {
      const pause = await store.pause.get(pauseId(id));
      return pause && { view: { kind: 'pause-card', pause }, state: 'posted' };
    }
    case 'trouble':
      return readTrouble(store, key, id);
  }
}

/** How the thing of another card ended, with a link to that card. */
async function readTold(store: Store, of: string, around: Around): Promise<Shown | null> {
  if (!isCardKey(of)) throw new Error(`a card that tells of nothing: ${of}`);
  const { kind, ...parts } = readCardKey(of);
  if (kind === 'told' || kind === 'returned') return null;
  const [shown, link] = await Promise.all([
    readShown(store, { key: of, kind, ...parts }, around),
    linkOf(store, of, around.linkTo),
  ]);
  if (shown === null || (shown.view.kind !== 'approval' && shown.view.kind !== 'operation')) return null;
  return { view: { kind: 'told', ended: shown.view, link }, state: shown.state };
}

/** To its requester or to who had approved it: the card's name ends with the person. */
async function readReturned(
  store: Store,
  { id, channel }: Pick<CardParts, 'id' | 'channel'>,
  around: Around,
): Promise<Shown | null> {
  const [of = id] = id.split('.', 1);
  const key = cardKey('approval', of);
  const [shown, link] = await Promise.all([
    readShown(store, { key, kind: 'approval', id: of, channel: null }, around),
    linkOf(store, key, around.linkTo),
  ]);
  if (shown?.view.kind !== 'approval') return null;
  const { approval, operation } = shown.view;
  const to = channel === channelId(approval.requesterId) ? 'requester' : 'approver';
  return { view: { kind: 'returned', to, approval, operation, link }, state: 'posted' };
}

/** Null where the card stands nowhere. */
async function linkOf(store: Store, key: CardKey, linkTo: Around['linkTo']): Promise<string | null> {
  const card = await store.cards.get(key);
  if (card === null || card.postedChannel === null || card.ts === null) return null;
  return linkTo({ channel: card.postedChannel, ts: card.ts });
}

/** One alert, or as many as were added to its card in this channel. */
async function readAlert(
  store: Store,
  { key, id, groupOf }: { readonly key: CardKey; readonly id: string } & Pick<Around, 'groupOf'>,
): Promise<Shown | null> {
  const alert = await store.alerts.get(alertId(id));
  if (alert === null) return null;
  const card = await store.cards.get(key);
  const all = card && (await store.deliveries.onCard(alert.id, card.channel, STORM_NAMES));
  if (card === null || all === null || all.alerts <= 1) {
    const group = alert.deviceId === null ? null : groupOf(alert.deviceId);
    return { view: { kind: 'alert', alert, group }, state: 'posted' };
  }
  const { first: shown, alerts, devices, taken } = all;
  const view = { kind: 'storm', first: alert, channel: card.channel, alerts, devices, shown, taken } as const;
  return { view, state: 'storm' };
}

/** Nobody needs to know of what was over before it could be told, unless it lasted long. */
async function readTrouble(store: Store, key: CardKey, id: string): Promise<Shown | null> {
  const [record, card] = await Promise.all([store.health.get(troubleId(id)), store.cards.get(key)]);
  if (record === null) return null;
  const { trouble, since, endedAt } = record;
  const isBrief = endedAt !== null && endedAt < later(since, BRIEF_MS);
  if (isBrief && card?.ts === null && trouble.kind !== 'new-database') return null;
  return { view: { kind: 'trouble', trouble, since, endedAt }, state: 'posted' };
}

const BRIEF_MS = 10 * MINUTE;

async function readSilence(
  store: Store,
  {
    kind,
    number,
    channel,
    root,
  }: {
    readonly kind: 'silence' | 'silent';
    readonly number: number;
    readonly channel: ChannelId;
    readonly root: string;
  },
): Promise<Shown | null> {
  const silence = await store.silences.get(number);
  if (silence === null) return null;
  if (kind === 'silent') return { view: { kind: 'silence-on', silence, channel, root }, state: 'posted' };
  const kept = await store.deliveries.silenced(silence.number, channel);
  return { view: { kind: 'silence-over', silence, channel, kept }, state: 'posted' };
}
