/** The facts about a device or a group that an approver decides on. */
import type { ChosenBySeverity, PackagesCommand } from '../fleet/model.ts';
import type { FleetOrder } from '../fleet/orders.ts';
import type { PolicyFacts } from '../fleet/standing.ts';
import type { DeviceFacts, GroupFacts, TargetFacts } from '../store/records.ts';
import { connection } from './device/device.ts';
import { fields, lines, section } from './kit/blocks.ts';
import { joined, literal, type Mrkdwn, md, strong } from './kit/escape.ts';
import { when } from './kit/when.ts';
import type { Block } from './model.ts';
import { every, known, listed, policyType, standingWords, system, yesNo } from './words.ts';

const BUDGET = 5_000;
/** Of packages that stand among the facts, and of the text that has a place for all. */
const FEW_PACKAGES = 15;
const PACKAGES_TEXT = 2_400;

/** One thing side by side, several a line each. `shared`: without what is personal. */
export function factBlocks(targets: readonly TargetFacts[], shared = false): readonly Block[] {
  const [only, ...others] = targets;
  if (only === undefined) return [];
  if (others.length === 0) return fields(only.deviceId === null ? oneGroup(only) : oneDevice(only, shared));
  const rows = targets.map((facts) => {
    if (facts.deviceId === null) return strong(facts.displayName);
    const stands = facts.policy === null ? md`` : md` · ${standingWords(facts.policy.status)}`;
    return md`${strong(facts.displayName)} · ${state(facts)} · ${group(facts)}${stands}`;
  });
  return lines(rows, { budget: BUDGET, more: (left) => md`${left} more devices did not fit.` });
}

/** How the packages were chosen, and every one by its name where the facts have no place for all. */
export function packageBlocks(order: FleetOrder): readonly Block[] {
  if (order.kind !== 'patch') return [];
  const chosen = order.chosen === undefined ? [] : [section(chosenWords(order.chosen))];
  return [...chosen, ...everyPackage(order)];
}

function chosenWords({ severities, named }: ChosenBySeverity): Mrkdwn {
  const every = md`*Chosen by severity*: every ${literal(severities.join(' or '))} patch that was missing`;
  return named.length === 0 ? md`${every}.` : md`${every}, and by name ${listed(named, FEW_PACKAGES)}.`;
}

function everyPackage(order: PackagesCommand): readonly Block[] {
  if (order.packages.length <= FEW_PACKAGES) return [];
  const names: Mrkdwn[] = [];
  let length = 0;
  for (const name of order.packages.map((item) => literal(item))) {
    length += name.length + 2;
    if (length > PACKAGES_TEXT) break;
    names.push(name);
  }
  const left = order.packages.length - names.length;
  const more = left === 0 ? md`` : md` and ${left} more`;
  return [section(md`*All packages*: ${joined(names, ', ')}${more}`)];
}

/** Of a group that is to be made everything stands among the changes. */
function oneGroup({ displayName, groupId, group }: GroupFacts) {
  if (group === null) return [{ label: 'Group', value: md`${literal(displayName)}, not there yet` }];
  const { parentName, deviceCount, refreshIntervalMinutes: minutes } = group;
  return [
    { label: 'Group', value: md`${literal(displayName)}, #${groupId ?? 0}` },
    { label: 'Below', value: known(parentName) },
    {
      label: 'Devices',
      value: deviceCount === null ? md`Not stated` : md`${deviceCount}, as the service says`,
    },
    { label: 'Scanned', value: minutes === null ? md`Not stated` : every(minutes) },
  ];
}

/** An edit of the record shows what matters to that; a command, what it does to whoever is at work there. */
function oneDevice(facts: DeviceFacts, shared: boolean) {
  const { displayName, hostname, deviceId, missing } = facts;
  const host = hostname === '' || hostname === displayName ? md`` : md`, hostname ${literal(hostname)}`;
  const device = { label: 'Device', value: md`${literal(displayName)}${host}, #${deviceId}` };
  if (facts.editable !== null) {
    const exception = { label: 'Excluded from reports', value: yesNo(facts.editable.exception) };
    const stands = { label: 'State', value: state(facts) };
    return [device, stands, { label: 'Group', value: group(facts) }, exception];
  }
  const all = [
    device,
    { label: 'State', value: state(facts) },
    ...lastUser(facts, shared),
    {
      label: 'Pending patches',
      value: facts.pendingPatches === null ? md`Not stated` : md`${facts.pendingPatches}`,
    },
    { label: 'Group', value: group(facts) },
    { label: 'Operating system', value: system(facts) },
    { label: 'Needs a reboot', value: yesNo(facts.needsReboot) },
  ];
  return [
    ...all,
    ...(missing.length === 0
      ? []
      : [{ label: `To install (${missing.length})`, value: listed(missing, FEW_PACKAGES) }]),
    ...(facts.policy === null ? [] : [{ label: 'Policy', value: policy(facts.policy) }]),
  ];
}

/** That somebody was there matters to who decides, whoever it was. */
function lastUser({ lastLoggedInUser: user }: DeviceFacts, shared: boolean) {
  const label = 'Last logged-in user';
  if (!shared) return [{ label, value: known(user) }];
  return user === null || user === '' ? [] : [{ label, value: md`Somebody, not named here` }];
}

/** Its number stands in the title of the card. */
function policy({ name, type, status }: PolicyFacts): Mrkdwn {
  const kind = type === null ? md`` : md`, ${policyType(type)}`;
  return md`${known(name, 'Name not stated')}${kind}: ${standingWords(status)}`;
}

function state({ connected, lastDisconnectTime: since }: DeviceFacts): Mrkdwn {
  return connected === false && since !== null ? md`Offline since ${when(since)}` : connection({ connected });
}

function group({ groupName, groupId }: DeviceFacts): Mrkdwn {
  if (groupName !== null) return known(groupName);
  return groupId === null ? md`Not stated` : md`#${groupId}`;
}
