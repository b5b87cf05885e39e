/** Requests, commands and failures as the Home shows them. */
import { PATCH_FAILED } from '../../fleet/event-names.ts';
import { cardKey, operationCard } from '../../ids.ts';
import type { AlertRecord, ApprovalRecord, CardKey, RecentOperation } from '../../store/records.ts';
import { operationShort, requestBlocks, requestTitle } from '../approval.ts';
import { approverButtons, withdrawButton } from '../decision-buttons.ts';
import { deviceButton } from '../device/device-buttons.ts';
import { actions, context, section } from '../kit/blocks.ts';
import { code, type Mrkdwn, md, strong, trusted } from '../kit/escape.ts';
import { LIMIT } from '../kit/limits.ts';
import { link, person } from '../kit/mentions.ts';
import { runButton } from '../kit/run-button.ts';
import { typed } from '../kit/typed.ts';
import { when, whenOr } from '../kit/when.ts';
import type { Block } from '../model.ts';
import { cardState } from '../states.ts';
import { listed, STATE_WORDS } from '../words.ts';
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
  shared: boolean,
): readonly Block[] {
  const { rows } = waiting;
  if (rows.length === 0) return [section(md`*Waiting for your decision*\nNothing waits.`)];
  return [
    section(md`*Waiting for your decision (${all(waiting)})*`),
    ...rows.flatMap((approval) => toDecide(approval, links, shared)),
    ...moreBlocks(waiting, md`They stand in the channel for approvals.`),
  ];
}

/** What is decided is what was seen: facts of many devices are too long for here, so their card has the buttons. */
function toDecide(approval: ApprovalRecord, links: Links, shared: boolean): readonly Block[] {
  const card = cardLink(links, cardKey('approval', approval.id));
  if (approval.targets.length !== 1) {
    return [
      section(
        md`${requestTitle(approval)}\n${person(approval.requesterId)} asks for this. Expires ${when(approval.expiresAt)}. Decide on its card, which shows every device.${card}`,
      ),
    ];
  }
  const buttons = actions(...approverButtons(approval)).map((block) => named('decide', approval.id, block));
  return [
    ...requestBlocks(approval, shared),
    ...(card === '' ? [] : [context(trusted(card.trim()))]),
    ...buttons,
  ];
}

export function requestsBlocks(
  requests: Shown<ApprovalRecord>,
  links: Links,
  root: string,
): readonly Block[] {
  const { rows } = requests;
  if (rows.length === 0) return [section(md`*Your requests*\nNone waits.`)];
  return [
    section(md`*Your requests*`),
    ...rows.map((approval) => ownRequest(approval, links)),
    ...moreBlocks(requests, md`${typed(root, 'approvals mine')} lists them.`),
  ];
}

function ownRequest(approval: ApprovalRecord, links: Links): Block {
  const card = cardLink(links, cardKey('approval', approval.id));
  const waits = approval.state === 'waiting';
  const state = approval.state === 'approved' ? 'Approved' : STATE_WORDS[cardState(approval, null)];
  const until = waits ? md`, expires ${when(approval.expiresAt)}` : md``;
  const by = approval.decidedBy === null ? md`` : md` by ${person(approval.decidedBy)}`;
  const text = md`${requestTitle(approval)}\n${trusted(state)}${by}${until}.${card}`;
  return named('request', approval.id, section(text, waits ? withdrawButton(approval) : null));
}

export function operationsBlocks(
  operations: Shown<RecentOperation>,
  links: Links,
  root: string,
): readonly Block[] {
  const { rows } = operations;
  if (rows.length === 0) return [section(md`*Your commands*\nNone runs, and none ran in the last day.`)];
  return [
    section(md`*Your commands*`),
    ...rows.map((operation) => ownOperation(operation, links)),
    ...moreBlocks(operations, md`${typed(root, 'operations')} lists them.`),
  ];
}

function ownOperation(operation: RecentOperation, links: Links): Block {
  const card = cardLink(links, operationCard(operation));
  const words = operationShort(operation);
  const state = trusted(words.slice(0, 1).toUpperCase() + words.slice(1));
  return section(md`${requestTitle(operation)}\n${state}, asked for ${when(operation.requestedAt)}.${card}`);
}

export function failureBlocks(failures: Shown<AlertRecord>, links: Links): readonly Block[] {
  const { rows } = failures;
  if (rows.length === 0) {
    return [
      section(
        md`*Patches that failed in the last day*\nNone that Patchbay saw.`,
        runButton({
          action: 'events',
          label: 'Look in the log',
          command: 'events',
          input: { filters: { policy: null, user: null, name: PATCH_FAILED, days: 1 } },
        }),
      ),
    ];
  }
  return [
    section(md`*Patches that failed in the last day (${all(failures)})*`),
    ...rows.map((alert) => failure(alert, links)),
    ...moreBlocks(failures, md`They stand in the channel for patch alerts.`),
  ];
}

function failure(alert: AlertRecord, links: Links): Block {
  const { deviceName, deviceId, packages, reason, happenedAt } = alert;
  const device = deviceName !== null && deviceName !== '' ? strong(deviceName) : unnamed(deviceId);
  const what =
    packages.length === 0
      ? md`a patch that the service did not name`
      : listed(
          packages.map(({ name, displayName }) => displayName ?? name),
          3,
        );
  const why = reason === null || reason === '' ? md`no reason stated` : code(reason, BRIEF);
  const card = cardLink(links, cardKey('alert', alert.id));
  const text = md`${device}: ${what}\n${why}, ${whenOr(happenedAt, 'at no stated time')}.${card}`;
  const button = deviceId === null ? null : deviceButton(deviceId, 'Show', `:${deviceId}`);
  return named('failure', alert.id, section(text, button));
}

function unnamed(id: AlertRecord['deviceId']): Mrkdwn {
  return id === null ? md`*A device that the service did not name*` : md`*#${id}*`;
}

/** Empty, or the link with the space before it. */
function cardLink(links: Links, key: CardKey): Mrkdwn {
  const address = links.get(key);
  return address === undefined ? md`` : md` ${link(address, md`Open the card`)}.`;
}

function moreBlocks({ more, atLeast }: Shown<unknown>, where: Mrkdwn): readonly Block[] {
  return more === 0 ? [] : [context(md`And ${least(atLeast)}${more} more. ${where}`)];
}

/** How many there are. */
function all({ rows, more, atLeast }: Shown<unknown>): Mrkdwn {
  return md`${least(atLeast)}${rows.length + more}`;
}

function least(atLeast: boolean): Mrkdwn {
  return atLeast ? md`at least ` : md``;
}

/** Several rows have a button of the same name: the block's id tells them apart. */
function named(what: string, id: string, block: Block): Block {
  return { ...block, block_id: `${what}:${id}`.slice(0, LIMIT.blockId) };
}
