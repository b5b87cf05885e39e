/** The app's Home: what waits for a person, what runs for them, what failed, the fleet, and Patchbay's health. */
import { checkPermission, type Role } from '../../lib/access.ts';
import { DAY, type Instant, later, MINUTE } from '../../lib/clock.ts';
import {
  alertCardKey,
  type CardKey,
  type ChannelId,
  cardKey,
  type PersonId,
  requestCardKey,
  type UserGroupId,
} from '../../lib/ids.ts';
import { isHeld, standsStill } from '../../rollout/progress.ts';
import { isAwaited } from '../../rules/quorum.ts';
import type { ShownAlert, SilenceRecord } from '../../store/port/alert-records.ts';
import type { RequestWithTargets } from '../../store/port/request-records.ts';
import type { PauseRecord } from '../../store/port/settings-records.ts';
import { acknowledgeButton } from '../alerts/alert-card.ts';
import { alertTitle, lateEventsNote, ownerText } from '../alerts/alert-text.ts';
import { activeSilenceBlocks } from '../alerts/subscription-list.ts';
import { actions, type Button, button, context, divider, section } from '../kit/blocks.ts';
import { runButton, typedCommand } from '../kit/buttons.ts';
import { inlineCode, joinMrkdwn, type Mrkdwn, md, trustedMrkdwn } from '../kit/escape.ts';
import { type Block, LIMIT } from '../kit/limits.ts';
import { linkTo, mentionChannel, mentionPerson, mentionUserGroup } from '../kit/mentions.ts';
import { SIGN, textsOf } from '../kit/message.ts';
import { dateOr, relativeDate } from '../kit/timestamps.ts';
import type { ActiveTrouble } from '../models/health-model.ts';
import type { DeviceTotals } from '../models/list-model.ts';
import { decideSeveralButton, withdrawButton } from '../requests/request-buttons.ts';
import { requestHeading } from '../requests/request-card.ts';
import { hasOutcome, isRollout, progressLines } from '../requests/request-label.ts';
import { pendingRequestBlocks } from '../requests/request-lists.ts';
import { holdLines } from '../requests/rollout-card.ts';
import { pausedByText } from '../status/pause-card.ts';
import { healthTitle, troubleBlock, troubleMarkup } from '../status/trouble-text.ts';
import { countText } from '../text/common-text.ts';

/** `callback_id` of the Home, and the action of its refresh button. */
export const HOME_CALLBACK = 'home';
export const REFRESH_ACTION = 'home_refresh';
const MAX_GRANTERS = 5;
const MAX_TROUBLES = 3;

/** As Slack's `views.publish` takes it. */
export type HomeTab = {
  readonly type: 'home';
  readonly callback_id: string;
  readonly blocks: readonly Block[];
};

export function renderHome(view: HomeView, links: CardLinks): HomeTab {
  return { type: 'home', callback_id: HOME_CALLBACK, blocks: fitBlocks(homeBlocks(view, links)) };
}

function homeBlocks(view: HomeView, links: CardLinks): readonly Block[] {
  switch (view.kind) {
    case 'stranger':
      return [section(noRoleBlocks(view)), ...refreshButton()];
    case 'unsure':
      return [
        section(md`*Patchbay*\nCouldn’t check your role with Slack. Patchbay will try again.`),
        ...refreshButton(),
      ];
    case 'home': {
      const fleet = fleetBlocks(view.fleet, view.asOf);
      const failures = [
        ...alertBlocks(view, links),
        ...activeSilenceBlocks(view.silences),
        ...lateEventsNote(view.eventsReadAt, view.asOf),
      ];
      const parts = [
        view.role === 'viewer' ? [section(VIEWER_INTRO)] : null,
        view.pause && [
          section(md`${trustedMrkdwn(SIGN.warning)} *All changes are paused* ${pausedByText(view.pause)}.`),
        ],
        troubleBlocks(view),
        view.waiting && [...waitingBlocks(view.waiting, view, links), ...othersBlocks(view)],
        view.requests && ownWorkBlocks(view.requests, links, view.root),
        view.rollouts.rows.length === 0 ? null : rolloutBlocks(view.rollouts, links, view.root),
        ...(view.role === 'viewer' ? [fleet, failures] : [failures, fleet]),
      ].filter((part) => part !== null);
      return [
        ...parts.flatMap((part) => [...part, divider()]),
        context(
          healthText(view),
          md`As of ${relativeDate(view.asOf)}. Your role: ${ROLE_TEXTS[view.role]}. ${inlineCode(`${view.root} help`)} shows how to start.`,
        ),
        ...refreshButton(),
      ];
    }
  }
}

const VIEWER_INTRO = md`*Patchbay* shows the state of your fleet in Slack. As a viewer, you can look up devices, patches and alerts.`;

const ROLE_TEXTS = {
  viewer: md`viewer`,
  operator: md`operator`,
  approver: md`approver`,
  admin: md`admin`,
} as const;

function refreshButton(): readonly Block[] {
  return actions(button({ action: REFRESH_ACTION, label: 'Refresh', value: 'refresh' }));
}

function noRoleBlocks({ root, deciders }: Extract<HomeView, { kind: 'stranger' }>): Mrkdwn {
  const named = [...deciders.people.map(mentionPerson), ...deciders.userGroups.map(mentionUserGroup)];
  const first = joinMrkdwn(named.slice(0, MAX_GRANTERS), ' or ');
  const ask = named.length === 0 ? md`the people who run Patchbay` : first;
  return md`*Patchbay*\nPatchbay manages a fleet of computers from Slack. You don’t have a role yet. To get one, ask ${ask}.\n${inlineCode(`${root} help`)} shows what Patchbay can do.`;
}

/** Only for approvers and admins, who can do something about it. */
function troubleBlocks({ troubles, role }: Health): readonly Block[] | null {
  if (troubles.length === 0 || !checkPermission(role, 'approve').allowed) return null;
  return troubles.slice(0, MAX_TROUBLES).map(troubleBlock);
}

type Health = Pick<Extract<HomeView, { kind: 'home' }>, 'troubles' | 'role'>;

/** As in `status`, in one line. */
function healthText(view: Health): Mrkdwn {
  const [first] = view.troubles;
  const title = healthTitle(view.troubles);
  return first === undefined || troubleBlocks(view) !== null
    ? title
    : md`${title}: ${troubleMarkup(first).what}`;
}

/** Cuts what exceeds the limit before the last two blocks, and says how much. */
function fitBlocks(blocks: readonly Block[]): readonly Block[] {
  if (blocks.length <= LIMIT.homeBlocks) return blocks;
  const end = blocks.slice(-2);
  const fitting = blocks.slice(0, LIMIT.homeBlocks - end.length - 1);
  const left = blocks.length - end.length - fitting.length;
  return [...fitting, context(md`${left} more items didn’t fit here.`), ...end];
}

const TITLE = md`*The fleet*`;

/** Numbers this much older than the page have a time of their own. */
const NOTABLE_AGE_MS = MINUTE;

/** `now`: the time that the page states for everything on it. */
function fleetBlocks(fleet: FleetGlance, now: Instant): readonly Block[] {
  switch (fleet.kind) {
    case 'reading':
      return [section(md`${TITLE}\nReading the fleet. The numbers will appear here shortly.`)];
    case 'unread':
      return [
        section(md`${TITLE}\nCouldn’t read the fleet from the management service. Patchbay will try again.`),
      ];
    case 'counted': {
      const notes = [
        later(fleet.asOf, NOTABLE_AGE_MS) > now ? null : md`Device data from ${relativeDate(fleet.asOf)}.`,
        fleet.partial ? md`First read in progress: these numbers are partial.` : null,
        fleet.overdue ? md`Couldn’t refresh: these are the last known numbers.` : null,
        fleet.unlisted === 0 ? null : md`Up to ${countText(fleet.unlisted, 'device')} not counted.`,
      ].filter((line) => line !== null);
      return [
        section(md`${TITLE}\n${joinMrkdwn(numberRows(fleet), '\n')}`),
        ...(notes.length === 0 ? [] : [context(...notes)]),
        ...actions(
          listButton('noncompliant', 'Noncompliant', fleet.noncompliant),
          listButton('pending', 'Pending patches', fleet.pending),
          listButton('offline', 'Offline', fleet.offline),
          listButton('needs-reboot', 'Required reboots', fleet.needsReboot),
        ),
      ];
    }
  }
}

function numberRows(fleet: Extract<FleetGlance, { kind: 'counted' }>): readonly Mrkdwn[] {
  const { devices, compliant, noncompliant, pending, offline, needsReboot, unknown } = fleet;
  const unclear = (number = 0) => (number === 0 ? md`` : md` (${number} unknown)`);
  const unstated = devices - compliant - noncompliant;
  const rest = unstated === 0 ? md`` : md`, ${unstated} unknown`;
  return [
    md`*${noncompliant}* of ${countText(devices, 'device')} not compliant (${compliant} compliant${rest})`,
    md`*${pending}* with pending patches${unclear(unknown?.pending)}`,
    md`*${offline}* offline${unclear(unknown?.connection)}`,
    md`*${needsReboot}* ${needsReboot === 1 ? md`requires` : md`require`} a reboot${unclear(unknown?.needsReboot)}`,
  ];
}

function listButton(condition: string, label: string, number: number): Button | null {
  if (number === 0) return null;
  return runButton({
    action: `devices:${condition.replace('-', '')}`,
    label,
    command: 'devices',
    input: { words: [], filters: [{ key: 'is', value: condition, negated: false }] },
  });
}

type CardLinks = ReadonlyMap<CardKey, string>;

/** Held rollouts, and requests of others: one device with the facts and buttons of its card, several with a link to it. */
function waitingBlocks(
  waiting: VisibleRows<RequestWithTargets>,
  { personal, channels }: Pick<HomeData, 'personal' | 'channels'>,
  links: CardLinks,
): readonly Block[] {
  const { rows } = waiting;
  if (rows.length === 0) return [section(md`*Needs your decision*\nNo requests.`)];
  return [
    section(md`*Needs your decision (${totalText(waiting)})*`, decideSeveralButton(rows, waiting.more)),
    ...rows.flatMap((request) =>
      pendingRequestBlocks(request, { shared: !personal, card: cardLink(links, requestCardKey(request)) }),
    ),
    ...moreBlocks(waiting, md` in ${mentionChannel(channels.approvals)}`),
  ];
}

function othersBlocks({ others, root }: Pick<HomeView & { kind: 'home' }, 'others' | 'root'>) {
  if (others === 0) return [];
  const count = md`${countText(others, 'other request')} ${trustedMrkdwn(others === 1 ? 'waits' : 'wait')}`;
  return [context(md`${count}, which you can’t approve now. ${inlineCode(`${root} approvals`)} lists all.`)];
}

function ownWorkBlocks(
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
function rolloutBlocks(
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

function alertBlocks(
  {
    alerts,
    openAlerts,
    role,
    root,
  }: Pick<Extract<HomeView, { kind: 'home' }>, 'alerts' | 'openAlerts' | 'role' | 'root'>,
  links: CardLinks,
): readonly Block[] {
  const list = { label: 'All alerts', command: 'alerts', input: { of: 'all', days: 7, state: null } };
  const counted = openAlerts === 0 ? md`*Open alerts*\nNo open alerts.` : md`*Open alerts (${openAlerts})*`;
  const mayTake = checkPermission(role, 'propose').allowed;
  const more = openAlerts - alerts.length;
  return [
    section(counted, runButton({ action: list.command, ...list })),
    ...alerts.map((alert) => alertRow(alert, links, mayTake)),
    ...(more <= 0 ? [] : [context(md`${more} more: ${typedCommand(root, 'alerts open')}`)]),
  ];
}

/** What fails where, who has it and since when, and the card. */
function alertRow(alert: ShownAlert, links: CardLinks, mayTake: boolean): Block {
  const { heldBy, failures, acknowledgedBy, number } = alert;
  const card = cardLink(links, alertCard(alert), md`Open the alert`);
  const often = failures > 1 ? md`, failed ${failures} times` : md``;
  const held = heldBy === null ? null : md`held by silence #${heldBy}, not posted`;
  const details = [md`Since ${relativeDate(alert.firstAt)}${often}`, held, card].filter(
    (one) => one !== null,
  );
  const lines = [alertTitle(alert, 3), ownerText(alert), joinMrkdwn(details, ' · ')].filter(
    (one) => one !== null,
  );
  const button = mayTake && acknowledgedBy === null ? acknowledgeButton(alert, `:${number}`) : null;
  return withBlockId('alert', alert.id, section(joinMrkdwn(lines, '\n'), button));
}

/** Its card in its home channel, or else in another. */
function alertCard({ id, home, card }: ShownAlert): CardKey {
  return card === null ? cardKey('alert', id) : alertCardKey({ ...card, alert: id }, home);
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

/** Whom a person without a role can ask for one. */
export type RoleGranters = {
  readonly people: readonly PersonId[];
  readonly userGroups: readonly UserGroupId[];
};

export type FleetGlance =
  | (Omit<DeviceTotals, 'online'> & {
      readonly kind: 'counted';
      readonly asOf: Instant;
      /** The maximum number of devices that could not be counted. */
      readonly unlisted: number;
      /** The first read of the fleet is not complete. */
      readonly partial: boolean;
      /** A refresh is due, but the service did not answer. */
      readonly overdue: boolean;
      readonly devices: number;
      readonly compliant: number;
    })
  | { readonly kind: 'reading' }
  /** The service did not answer, and there are no earlier numbers. */
  | { readonly kind: 'unread' };

/** `unknown`: Slack did not say which user groups the person is in. */
export type HomeRole = Role | 'none' | 'unknown';

export type HomeData = {
  readonly person: PersonId;
  readonly role: HomeRole;
  /** Whether the person may see personal data. */
  readonly personal: boolean;
  readonly root: string;
  readonly asOf: Instant;
  readonly deciders: RoleGranters;
  /** They have the rest of a list. */
  readonly channels: { readonly approvals: ChannelId; readonly patchAlerts: ChannelId };
  /** All that wait for a decision, the oldest first. */
  readonly waiting: readonly RequestWithTargets[];
  /** The user groups that decide about these, and that the person is in. */
  readonly groups: readonly UserGroupId[];
  /** What the person asked for, the newest first. */
  readonly requests: readonly RequestWithTargets[];
  /** All rollouts that run, or that something holds, the newest first. */
  readonly rollouts: readonly RequestWithTargets[];
  /** The first open alerts, those that a silence holds among them, and how many there are. */
  readonly alerts: readonly ShownAlert[];
  readonly openAlerts: number;
  readonly silences: readonly SilenceRecord[];
  /** When the event log was last read; null: never. */
  readonly eventsReadAt: Instant | null;
  readonly fleet: FleetGlance;
  readonly troubles: readonly ActiveTrouble[];
  /** Null: changes are not paused. */
  readonly pause: PauseRecord | null;
};

/** The first rows of a list, and how many more are known. */
type VisibleRows<T> = {
  readonly rows: readonly T[];
  readonly more: number;
  /** The list was cut when it was read, so there may be more than `more`. */
  readonly isMinimum: boolean;
};

/** Rows read of each list: more than are shown, so that the rest can be counted. */
export const MAX_READ_ROWS = 100;

export type HomeView =
  | { readonly kind: 'stranger'; readonly root: string; readonly deciders: RoleGranters }
  | { readonly kind: 'unsure' }
  | (Omit<HomeData, 'role' | 'waiting' | 'requests' | 'rollouts'> & {
      readonly kind: 'home';
      readonly role: Role;
      /** Rollouts that are held, then requests. Null: not for this role. */
      readonly waiting: VisibleRows<RequestWithTargets> | null;
      /** Requests of others that the person can't approve now. */
      readonly others: number;
      readonly requests: VisibleRows<RequestWithTargets> | null;
      readonly rollouts: VisibleRows<RequestWithTargets>;
    });

/** Rows shown of each list: together they stay well below Slack's 100 blocks. */
export const VISIBLE_ROWS = 5;
/** What ended longer ago is left out. */
const RECENT_MS = DAY;

/** Chooses what this person sees: decisions for approvers, their own work for operators, the fleet for all with a role. */
export function homeView(facts: HomeData): HomeView {
  const { role, root, asOf, person, deciders } = facts;
  if (role === 'unknown') return { kind: 'unsure' };
  if (role === 'none') return { kind: 'stranger', root, deciders };
  const proposes = checkPermission(role, 'propose').allowed;
  const decides = checkPermission(role, 'approve').allowed;
  const since = later(asOf, -RECENT_MS);
  const rollouts = facts.rollouts.filter(({ requesterId }) => requesterId !== person || !proposes);
  const pending = pendingForPerson(facts);
  const ofOthers = facts.waiting.filter(({ requesterId }) => requesterId !== person);
  const isForPerson = (rollout: RequestWithTargets) => decides && isHeld(rollout);
  return {
    ...facts,
    kind: 'home',
    role,
    waiting: decides ? visibleRows([...rollouts.filter(isForPerson), ...pending], facts.waiting) : null,
    others: ofOthers.length - pending.length,
    requests: proposes ? visibleRows(ownRequests(facts.requests, since), facts.requests) : null,
    rollouts: visibleRows(
      rollouts.filter((rollout) => !isForPerson(rollout)),
      facts.rollouts,
    ),
  };
}

export function linkedCards(view: HomeView): readonly CardKey[] {
  if (view.kind !== 'home') return [];
  const requests = [view.waiting?.rows ?? [], view.requests?.rows ?? [], view.rollouts.rows].flat();
  return [...requests.map(requestCardKey), ...view.alerts.map(alertCard)];
}

/** Without what others decide, such as the person's own requests. The oldest comes first, however often it went back. */
function pendingForPerson({
  waiting,
  person,
  groups,
}: Pick<HomeData, 'waiting' | 'person' | 'groups'>): readonly RequestWithTargets[] {
  return waiting
    .filter(({ requesterId, rules }) => requesterId !== person && isAwaited(rules, { by: person, groups }))
    .toSorted((a, b) => a.createdAt - b.createdAt);
}

/** What waits or stands still, then what runs, then what ended lately. */
function ownRequests(requests: readonly RequestWithTargets[], since: Instant): readonly RequestWithTargets[] {
  const isOpen = ({ state }: RequestWithTargets) => state === 'approved' || state === 'running';
  const ended = requests.filter((one) => one.state !== 'waiting' && !isOpen(one) && one.createdAt >= since);
  const running = requests.filter((one) => isOpen(one) && !standsStill(one));
  return [...requests.filter(standsStill), ...running, ...ended];
}

/** `read`: all rows that were read, from which `rows` were chosen. */
function visibleRows<T>(rows: readonly T[], read: readonly T[]): VisibleRows<T> {
  return {
    rows: rows.slice(0, VISIBLE_ROWS),
    more: Math.max(rows.length - VISIBLE_ROWS, 0),
    isMinimum: read.length >= MAX_READ_ROWS,
  };
}

const SIMPLIFIED_NOTE = md`Slack rejected this page, so it’s shown without buttons. Patchbay tries again when something changes or you open it.`;

/** As plain sections, for when Slack rejects its blocks: blocks without text, such as buttons, are left out. */
export function simplifiedHome({ blocks, ...tab }: HomeTab): HomeTab {
  const sections = blocks.flatMap((block) => joinedSections(textsOf(block))).slice(0, LIMIT.homeBlocks - 1);
  return { ...tab, blocks: [section(SIMPLIFIED_NOTE), ...sections] };
}

function joinedSections(texts: readonly Mrkdwn[]): readonly Block[] {
  const packs: Mrkdwn[][] = [];
  let length = Number.POSITIVE_INFINITY;
  for (const text of texts) {
    length += text.length + 1;
    if (length > LIMIT.sectionText) {
      packs.push([]);
      length = text.length;
    }
    packs.at(-1)?.push(text);
  }
  return packs.map((pack) => section(joinMrkdwn(pack, '\n')));
}
