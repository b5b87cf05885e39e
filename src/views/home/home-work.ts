/** Requests, commands and failures as the Home shows them. */
import { PATCH_FAILED } from '../../fleet/event-names.ts';
import { type ChannelId, cardKey, operationCard } from '../../ids.ts';
import type { AlertRecord, ApprovalRecord, CardKey, RecentOperation } from '../../store/records.ts';
import { approvalLabel, cardTitle, operationLabel, requestBlocks, requestedBy } from '../approval.ts';
import { approverButtons, withdrawButton } from '../decision-buttons.ts';
import { deviceButton } from '../device/device-buttons.ts';
import { actions, context, section } from '../kit/blocks.ts';
import { code, joined, type Mrkdwn, md, strong } from '../kit/escape.ts';
import { LIMIT } from '../kit/limits.ts';
import { channel, link, person } from '../kit/mentions.ts';
import { runButton } from '../kit/run-button.ts';
import { typed } from '../kit/typed.ts';
import { when } from '../kit/when.ts';
import type { Block } from '../model.ts';
import { listed } from '../words.ts';
import type { Shown } from './home-model.ts';

export type Links = ReadonlyMap<CardKey, string>;

/** Of an answer or a device's words, in a list. */
const BRIEF = 200;

/**
 * Requests of others: with the facts and buttons of the card, or, for several devices, the way to it. `shared`: without
 * what is personal.
 */
export function waitingBlocks(
  waiting: Shown<ApprovalRecord>,
  links: Links,
  { shared, channel: where }: { readonly shared: boolean; readonly channel: ChannelId },
): readonly Block[] {
  const { rows } = waiting;
  if (rows.length === 0) return [section(md`*Waiting for your approval*\nNo requests.`)];
  return [
    section(md`*Waiting for your approval (${all(waiting)})*`),
    ...rows.flatMap((approval) => toDecide(approval, links, shared)),
    ...moreBlocks(waiting, md` in ${channel(where)}`),
  ];
}

/** What is decided is what was seen: facts of many devices are too long for here, so their card has the buttons. */
function toDecide(approval: ApprovalRecord, links: Links, shared: boolean): readonly Block[] {
  const card = cardLink(links, cardKey('approval', approval.id));
  if (approval.targets.length !== 1) {
    const title = cardTitle(approvalLabel(approval, null), approval);
    const review = md`Review all ${approval.targets.length} devices on the card.`;
    return [
      section(
        md`${title}\n${requestedBy(approval)}\n${review}\nExpires ${when(approval.expiresAt)}.${spaced(card)}`,
      ),
    ];
  }
  const buttons = actions(...approverButtons(approval)).map((block) => named('decide', approval.id, block));
  return [...requestBlocks(approval, { shared, card }), ...buttons];
}

export function requestsBlocks(
  requests: Shown<ApprovalRecord>,
  links: Links,
  root: string,
): readonly Block[] {
  const { rows } = requests;
  if (rows.length === 0) return [section(md`*Your requests*\nNo open requests.`)];
  return [
    section(md`*Your requests*`),
    ...rows.map((approval) => ownRequest(approval, links)),
    ...moreBlocks(requests, md`: ${typed(root, 'approvals mine')}`),
  ];
}

function ownRequest(approval: ApprovalRecord, links: Links): Block {
  const card = cardLink(links, cardKey('approval', approval.id));
  const waits = approval.state === 'waiting';
  const { decidedBy, requesterId } = approval;
  const by = decidedBy === null || decidedBy === requesterId ? [] : [md`By ${person(decidedBy)}`];
  const until = waits ? [md`Expires ${when(approval.expiresAt)}`] : [];
  const details = joined([...by, ...until, ...(card === null ? [] : [card])], ' · ');
  const title = cardTitle(approvalLabel(approval, null), approval);
  const text = details === '' ? title : md`${title}\n${details}`;
  return named('request', approval.id, section(text, waits ? withdrawButton(approval) : null));
}

export function operationsBlocks(
  operations: Shown<RecentOperation>,
  links: Links,
  root: string,
): readonly Block[] {
  const { rows } = operations;
  if (rows.length === 0) return [section(md`*Your commands*\nNone in the last 24 hours.`)];
  return [
    section(md`*Your commands*`),
    ...rows.map((operation) => ownOperation(operation, links)),
    ...moreBlocks(operations, md`: ${typed(root, 'operations')}`),
  ];
}

function ownOperation(operation: RecentOperation, links: Links): Block {
  const card = cardLink(links, operationCard(operation));
  const title = cardTitle(operationLabel(operation), operation);
  return section(md`${title}\nRequested ${when(operation.requestedAt)}${dotted(card)}`);
}

export function failureBlocks(
  failures: Shown<AlertRecord>,
  links: Links,
  where: ChannelId,
): readonly Block[] {
  const { rows } = failures;
  if (rows.length === 0) {
    return [
      section(
        md`*Failed patches, last 24 hours*\nNone seen by Patchbay.`,
        runButton({
          action: 'events',
          label: 'Show event log',
          command: 'events',
          input: { filters: { policy: null, user: null, name: PATCH_FAILED, days: 1 } },
        }),
      ),
    ];
  }
  return [
    section(md`*Failed patches, last 24 hours (${all(failures)})*`),
    ...rows.map((alert) => failure(alert, links)),
    ...moreBlocks(failures, md` in ${channel(where)}`),
  ];
}

function failure(alert: AlertRecord, links: Links): Block {
  const { deviceName, deviceId, packages, reason, happenedAt } = alert;
  const device = deviceName !== null && deviceName !== '' ? strong(deviceName) : unnamed(deviceId);
  const names = packages.map(({ name, displayName }) => displayName ?? name);
  const card = cardLink(links, cardKey('alert', alert.id));
  const details = joined(
    [
      ...(reason === null || reason === '' ? [] : [code(reason, BRIEF)]),
      ...(happenedAt === null ? [] : [when(happenedAt)]),
      ...(card === null ? [] : [card]),
    ],
    ' · ',
  );
  const title = md`${device}: ${names.length === 0 ? md`patch not named` : listed(names, 3)}`;
  const text = details === '' ? title : md`${title}\n${details}`;
  const button = deviceId === null ? null : deviceButton(deviceId, 'Show', `:${deviceId}`);
  return named('failure', alert.id, section(text, button));
}

function unnamed(id: AlertRecord['deviceId']): Mrkdwn {
  return id === null ? md`*Unknown device*` : md`*#${id}*`;
}

/** Null where it is not known where the card is. */
function cardLink(links: Links, key: CardKey): Mrkdwn | null {
  const address = links.get(key);
  return address === undefined ? null : link(address, md`Open the card`);
}

function spaced(card: Mrkdwn | null): Mrkdwn {
  return card === null ? md`` : md` ${card}`;
}

function dotted(card: Mrkdwn | null): Mrkdwn {
  return card === null ? md`` : md` · ${card}`;
}

function moreBlocks({ more, atLeast }: Shown<unknown>, where: Mrkdwn): readonly Block[] {
  if (more === 0) return [];
  return [context(atLeast ? md`At least ${more} more${where}` : md`${more} more${where}`)];
}

/** How many there are. */
function all({ rows, more, atLeast }: Shown<unknown>): Mrkdwn {
  const number = rows.length + more;
  return atLeast ? md`at least ${number}` : md`${number}`;
}

/** Several rows have a button of the same name: the block's id tells them apart. */
function named(what: string, id: string, block: Block): Block {
  return { ...block, block_id: `${what}:${id}`.slice(0, LIMIT.blockId) };
}
