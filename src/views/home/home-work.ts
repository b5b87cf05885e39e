/** Requests, commands and failures as the Home shows them. */
import { PATCH_FAILED } from '../../fleet/model/event-kinds.ts';
import { type ChannelId, cardKey, requestCardKey } from '../../lib/ids.ts';
import type { ShownAlert } from '../../store/port/alert-records.ts';
import type { CardKey } from '../../store/port/records.ts';
import type { RequestWithTargets } from '../../store/port/request-records.ts';
import { shownSubject } from '../alerts/alert-text.ts';
import { deviceButton } from '../device/device-buttons.ts';
import { context, section } from '../kit/blocks.ts';
import { runButton, typedCommand } from '../kit/command-buttons.ts';
import { bold, inlineCode, joinMrkdwn, type Mrkdwn, md } from '../kit/escape.ts';
import { LIMIT } from '../kit/limits.ts';
import { linkTo, mentionChannel, mentionPerson } from '../kit/mentions.ts';
import { dateOr, relativeDate } from '../kit/timestamps.ts';
import type { Block } from '../models/rendered-model.ts';
import { pendingRequestBlocks } from '../requests/approval-list.ts';
import { hasOutcome } from '../requests/card-state.ts';
import { decideSeveralButton, withdrawButton } from '../requests/decision-buttons.ts';
import { requestHeading } from '../requests/request-card.ts';
import { holdLines } from '../requests/rollout/rollout-card.ts';
import { isRollout, progressLines } from '../requests/rollout/rollout-label.ts';
import { countText, listMrkdwn } from '../text/common-text.ts';
import type { HomeView, VisibleRows } from './home-model.ts';

export type CardLinks = ReadonlyMap<CardKey, string>;

/** Characters of a failure's reason. */
const MAX_TEXT = 200;

/**
 * Rollouts that are held and requests of others. A request for one device has the facts and buttons of its card; one for
 * several has a link to its card. `shared`: without personal data.
 */
export function waitingBlocks(
  waiting: VisibleRows<RequestWithTargets>,
  links: CardLinks,
  { shared, channel: where }: { readonly shared: boolean; readonly channel: ChannelId },
): readonly Block[] {
  const { rows } = waiting;
  if (rows.length === 0) return [section(md`*Needs your decision*\nNo requests.`)];
  return [
    section(md`*Needs your decision (${totalText(waiting)})*`, decideSeveralButton(rows, waiting.more)),
    ...rows.flatMap((request) =>
      pendingRequestBlocks(request, { shared, card: cardLink(links, requestCardKey(request)) }),
    ),
    ...moreBlocks(waiting, md` in ${mentionChannel(where)}`),
  ];
}

export function ownWorkBlocks(
  requests: VisibleRows<RequestWithTargets>,
  links: CardLinks,
  root: string,
): readonly Block[] {
  if (requests.rows.length === 0)
    return [section(md`*Your requests*\nNone open, and none in the last 24 hours.`)];
  const more = md`: ${typedCommand(root, 'approvals mine')} and ${typedCommand(root, 'operations')}`;
  return [
    section(md`*Your requests*`),
    ...requests.rows.map((request) => ownRequestRow(request, links)),
    ...moreBlocks(requests, more),
  ];
}

function ownRequestRow(request: RequestWithTargets, links: CardLinks): Block {
  const card = cardLink(links, requestCardKey(request));
  const title = requestHeading(request);
  if (hasOutcome(request)) {
    const asked = md`Requested ${relativeDate(request.createdAt)}${dotted(card)}`;
    const progress = isRollout(request) ? progressLines(request) : [];
    return section(joinMrkdwn([title, ...progress, ...holdLines(request), asked], '\n'));
  }
  const isWaiting = request.state === 'waiting';
  const { decidedBy, requesterId, expiresAt } = request;
  const by = decidedBy === null || decidedBy === requesterId ? [] : [md`By ${mentionPerson(decidedBy)}`];
  const until = isWaiting ? [md`Expires ${dateOr(expiresAt, '')}`] : [];
  const details = joinMrkdwn([...by, ...until, ...(card === null ? [] : [card])], ' · ');
  const text = details === '' ? title : md`${title}\n${details}`;
  return withBlockId('request', request.id, section(text, isWaiting ? withdrawButton(request) : null));
}

/** Rollouts of others: how far each is, whoever may stop or resume it. */
export function rolloutBlocks(
  rollouts: VisibleRows<RequestWithTargets>,
  links: CardLinks,
  root: string,
): readonly Block[] {
  return [
    section(md`*Rollouts in progress*`),
    ...rollouts.rows.map((request) => rolloutRow(request, links)),
    ...moreBlocks(rollouts, md`: ${typedCommand(root, 'operations')}`),
  ];
}

function rolloutRow(request: RequestWithTargets, links: CardLinks): Block {
  const card = cardLink(links, requestCardKey(request));
  const title = requestHeading(request);
  const asked = md`Requested by ${mentionPerson(request.requesterId)} ${relativeDate(request.createdAt)}${dotted(card)}`;
  return withBlockId(
    'rollout',
    request.id,
    section(joinMrkdwn([title, ...progressLines(request), ...holdLines(request), asked], '\n')),
  );
}

export function failureBlocks(
  { failures, held, channels }: Pick<Extract<HomeView, { kind: 'home' }>, 'failures' | 'held' | 'channels'>,
  links: CardLinks,
): readonly Block[] {
  const { rows } = failures;
  const none = rows.length === 0 && held === 0;
  const filters = { policy: null, user: null, name: PATCH_FAILED, days: 1 };
  const list = none
    ? { label: 'Failed patches', command: 'events', input: { filters } }
    : { label: 'All alerts', command: 'alerts', input: { of: 'all', days: 1 } };
  const counted = none ? md`*\nNo alerts.` : md` (${totalText(failures)})*`;
  const heldText = md`${countText(held, 'failure')} held by a silence, not posted.`;
  return [
    section(md`*Failed patches, last 24 hours${counted}`, runButton({ action: list.command, ...list })),
    ...rows.map((alert) => failureRow(alert, links)),
    ...moreBlocks(failures, md` in ${mentionChannel(channels.patchAlerts)}`),
    ...(held === 0 ? [] : [context(heldText)]),
  ];
}

function failureRow(alert: ShownAlert, links: CardLinks): Block {
  const { deviceId, packages, reason, happenedAt, storm } = alert;
  const names = packages.map(({ name, displayName }) => displayName ?? name);
  const card = cardLink(links, cardKey('alert', alert.id), md`Open the alert`);
  const details = joinMrkdwn(
    [
      ...(reason === null || reason === '' ? [] : [inlineCode(reason, MAX_TEXT)]),
      ...(happenedAt === null ? [] : [relativeDate(happenedAt)]),
      ...(card === null ? [] : [card]),
    ],
    ' · ',
  );
  const title = md`${bold(shownSubject(alert))}: ${names.length === 0 ? md`patch not named` : listMrkdwn(names, 3)}`;
  const text = details === '' ? title : md`${title}\n${details}`;
  const button =
    deviceId === null || storm !== undefined ? null : deviceButton(deviceId, 'Device', `:${deviceId}`);
  return withBlockId('failure', alert.id, section(text, button));
}

/** Null where it is not known where the card is. */
function cardLink(links: CardLinks, key: CardKey, words = md`Open the request`): Mrkdwn | null {
  const address = links.get(key);
  return address === undefined ? null : linkTo(address, words);
}

function dotted(card: Mrkdwn | null): Mrkdwn {
  return card === null ? md`` : md` · ${card}`;
}

function moreBlocks({ more, isMinimum }: VisibleRows<unknown>, where: Mrkdwn): readonly Block[] {
  if (more === 0) return [];
  return [context(isMinimum ? md`At least ${more} more${where}` : md`${more} more${where}`)];
}

/** How many rows there are, shown or not. */
function totalText({ rows, more, isMinimum }: VisibleRows<unknown>): Mrkdwn {
  const number = rows.length + more;
  return isMinimum ? md`at least ${number}` : md`${number}`;
}

/** Rows have buttons with the same action, so their blocks need ids of their own. */
function withBlockId(what: string, id: string, block: Block): Block {
  return { ...block, block_id: `${what}:${id}`.slice(0, LIMIT.blockId) };
}
