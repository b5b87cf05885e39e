/** One device: what matters about it, and what can be done. */
import { displayName } from '../../fleet/model.ts';
import { lastSeenAt } from '../../fleet/seen.ts';
import type { PersonId } from '../../ids.ts';
import { actions, context, section } from '../kit/blocks.ts';
import { code, heading, joined, literal, type Mrkdwn, md } from '../kit/escape.ts';
import { SHOWN } from '../kit/limits.ts';
import { whom } from '../kit/mentions.ts';
import { message } from '../kit/message.ts';
import { whenAgo } from '../kit/when.ts';
import type { Block, DeviceLine, RenderedMessage, View } from '../model.ts';
import {
  present,
  type StatedFact,
  statedFields,
  statedGroup,
  statedNumber,
  statedParts,
  statedSystem,
  statedText,
  statedYesNo,
} from '../stated.ts';
import { count } from '../words.ts';
import { packagesButton, patchButton, queueButton, rebootButton, scanButton } from './device-buttons.ts';
import { moreMenu } from './device-nav.ts';

type Device = DeviceLine['device'];

type DeviceView = Omit<Extract<View, { kind: 'device' }>, 'kind'>;

export function renderDevice(line: DeviceView): RenderedMessage {
  const { device } = line;
  const name = displayName(device);
  const target = { id: device.id, name };
  const { lookOnly } = line;
  const mayChange = lookOnly === undefined;
  return message({
    text: md`${literal(name)}: ${connection(device)}${pendingWords(device)}.`,
    body: [section(heading('Device', name)), ...statedFields(facts(line))],
    end: [
      ...actions(
        packagesButton(target),
        queueButton(target),
        ...(mayChange ? [scanButton(target), patchButton(target), rebootButton(target)] : []),
        // The queue has its button.
        moreMenu(device.id, { without: 'queue', edit: mayChange }),
      ),
      ...(mayChange || lookOnly.ask === null ? [] : [askFor(lookOnly.ask)]),
    ],
  });
}

function askFor(people: readonly PersonId[]): Block {
  return context(
    md`View only. To scan, patch, reboot or edit this device, ask ${whom(people)} for the operator role.`,
  );
}

function facts(line: DeviceView): readonly StatedFact[] {
  const { device } = line;
  return [
    { label: 'State', value: md`${connection(device)}${attention(device)}` },
    { label: 'Last seen', value: lastSeen(device) },
    { label: 'Pending patches', value: statedNumber(device.pendingPatches) },
    { label: 'Reboot required', value: statedYesNo(device.needsReboot) },
    { label: 'Operating system', value: statedSystem(device) },
    { label: 'Group', value: statedGroup(line) },
    { label: 'Tags', value: tagWords(device.tags) },
    { label: 'Last scan', value: lastScan(device) },
    ...(line.shared ? [] : [{ label: 'Last logged-in user', value: lastUser(device) }]),
    { label: 'Hostname and ID', value: statedParts(statedText(device.name), md`#${device.id}`) },
  ];
}

const MOST_TAGS = 10;

/** Each in marks of its own: a tag may hold a comma. */
function tagWords(tags: readonly string[]): Mrkdwn | null {
  if (tags.length === 0) return null;
  const shown = joined(
    tags.slice(0, MOST_TAGS).map((tag) => code(tag, SHOWN.label)),
    ', ',
  );
  return tags.length > MOST_TAGS ? md`${shown} and ${tags.length - MOST_TAGS} more` : shown;
}

/** When and how, where the agent has said it of the same person. */
function lastUser({ lastLoggedInUser: user, detail }: Device): Mrkdwn | null {
  const logon = detail === null ? null : detail.lastLogon;
  if (logon === null || (user !== null && user !== '' && logon.user !== user)) return statedText(user);
  const name = statedText(logon.user);
  const at = name === null || logon.time === null ? null : whenAgo(logon.time);
  return name === null ? null : statedParts(name, at, statedText(logon.source));
}

/** Online, offline, or not known: in words. */
export function connection({ connected }: Pick<Device, 'connected'>): Mrkdwn {
  if (connected === null) return md`Connection unknown`;
  return connected ? md`Online` : md`Offline`;
}

/** What a person should know besides; status words of the service are shown as they came (§3). */
function attention({ compliant, exception, needsAttention, policyStatus }: Device): Mrkdwn {
  const notes = [
    compliant === false ? md`not compliant` : null,
    exception === true ? md`excluded from reports and statistics` : null,
    needsAttention === true ? md`needs attention` : null,
    compliant === false || policyStatus === null || policyStatus === ''
      ? null
      : md`policy status: ${literal(policyStatus)}`,
  ].filter((note) => note !== null);
  return notes.reduce((all, note) => md`${all}, ${note}`, md``);
}

function lastSeen(device: Device): Mrkdwn | null {
  if (device.connected === true) return md`Now`;
  const at = lastSeenAt(device);
  return at === null ? null : whenAgo(at);
}

/** Also of the page of updates. */
export function lastScan({ lastRefreshTime, lastScanFailed }: Device): Mrkdwn | null {
  if (lastRefreshTime === null) return lastScanFailed === true ? md`Failed` : null;
  return lastScanFailed === true ? md`${whenAgo(lastRefreshTime)}, failed` : whenAgo(lastRefreshTime);
}

/** `, 3 pending patches, reboot required`, as far as it is stated. */
function pendingWords({ pendingPatches, needsReboot }: Device): Mrkdwn {
  return joined(
    present(
      pendingPatches === null ? null : md`, ${count(pendingPatches, 'pending patch', 'pending patches')}`,
      needsReboot === true ? md`, reboot required` : null,
    ),
    '',
  );
}
