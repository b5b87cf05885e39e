import { lastSeenAt } from '../../fleet/model/derived-fields.ts';
import { policyName } from '../../fleet/model/policy-status.ts';
import { displayName } from '../../fleet/model/resources.ts';
import type { Instant } from '../../lib/clock.ts';
import { actions, context, section } from '../kit/blocks.ts';
import { boldHeading, escapeMrkdwn, inlineCode, joinMrkdwn, type Mrkdwn, md } from '../kit/escape.ts';
import { DISPLAY_LIMIT, type RenderedMessage } from '../kit/limits.ts';
import { mentionPeople } from '../kit/mentions.ts';
import { buildMessage } from '../kit/message.ts';
import { relativeDate, whenAgo } from '../kit/timestamps.ts';
import type { DeviceLine, LinkedRequest, ReadOnlyReader } from '../models/list-model.ts';
import { deviceRequestText } from '../requests/request-card.ts';
import { countText, listMrkdwn, withRest } from '../text/common-text.ts';
import {
  type StatedFact,
  statedFields,
  statedGroup,
  statedNumber,
  statedParts,
  statedSystem,
  statedText,
  statedYesNo,
} from '../text/stated-facts.ts';
import {
  moreMenu,
  packagesButton,
  patchButton,
  queueButton,
  rebootButton,
  scanButton,
} from './device-buttons.ts';

/** `shared`: for everybody in a channel, so without what is personal. `asOf`: when it was read. */
export type DeviceView = {
  readonly kind: 'device';
  readonly shared?: true;
  readonly asOf?: Instant;
  /** The latest that were made of it through Patchbay. */
  readonly requests?: readonly LinkedRequest[];
} & DeviceLine &
  ReadOnlyReader;

type Device = DeviceLine['device'];

/** Draws the card. Readers who may only look get no buttons that change anything, and learn whom to ask. */
export function renderDeviceCard(line: DeviceView): RenderedMessage {
  const { device } = line;
  const name = displayName(device);
  const { id } = device;
  const { lookOnly, requests = [], shared = false } = line;
  const mayChange = lookOnly === undefined;
  return buildMessage({
    text: md`${escapeMrkdwn(name)}: ${connectionText(device)}${pendingWorkText(device)}.`,
    body: [
      section(boldHeading('Device', name)),
      ...statedFields(deviceFacts(line)),
      // For people who may see the device, and not for a channel.
      ...(shared ? [] : requests.map((request) => section(deviceRequestText(request)))),
    ],
    footer: [
      ...(line.asOf === undefined ? [] : [context(md`As of ${relativeDate(line.asOf)}.`)]),
      ...actions(
        packagesButton(id),
        queueButton(id),
        ...(mayChange ? [scanButton(id), patchButton(id)] : []),
        // The queue has a button of its own.
        moreMenu(id, { without: 'queue', edit: mayChange }),
        // Last, so that it is not pressed by mistake.
        mayChange ? rebootButton(id) : null,
      ),
      ...(mayChange || lookOnly.ask === null
        ? []
        : [
            context(
              md`View only. To scan, patch, reboot or edit this device, ask ${mentionPeople(lookOnly.ask)} for the operator role.`,
            ),
          ]),
    ],
  });
}

function deviceFacts(line: DeviceView): readonly StatedFact[] {
  const { device } = line;
  return [
    { label: 'State', value: md`${connectionText(device)}${attentionText(device)}` },
    { label: 'Compliance', value: complianceText(device) },
    { label: 'Last seen', value: lastSeenText(device) },
    { label: 'Pending patches (required by policies)', value: statedNumber(device.pendingPatches) },
    { label: 'Reboot required', value: statedYesNo(device.needsReboot) },
    { label: 'Operating system', value: statedSystem(device) },
    { label: 'Group', value: statedGroup(line) },
    { label: 'Tags', value: device.tags === null ? md`Not stated` : tagsText(device.tags) },
    { label: 'Last scan', value: lastScan(device) },
    ...(line.shared ? [] : [{ label: 'Last logged-in user', value: lastUser(device) }]),
    displayName(device) === device.name
      ? { label: 'ID', value: md`#${device.id}` }
      : { label: 'Hostname and ID', value: statedParts(statedText(device.name), md`#${device.id}`) },
  ];
}

const MAX_TAGS = 10;

/** Each tag in its own code span, because a tag may contain a comma. */
function tagsText(tags: readonly string[]): Mrkdwn | null {
  if (tags.length === 0) return null;
  const listed = joinMrkdwn(
    tags.slice(0, MAX_TAGS).map((tag) => inlineCode(tag, DISPLAY_LIMIT.label)),
    ', ',
  );
  return withRest(listed, tags.length - MAX_TAGS);
}

/** The user, with time and source of the logon where the agent reported them for the same user. */
function lastUser({ lastLoggedInUser: user, detail }: Device): Mrkdwn | null {
  const logon = detail === null ? null : detail.lastLogon;
  if (logon === null || (user !== null && user !== '' && logon.user !== user)) return statedText(user);
  const name = statedText(logon.user);
  const at = name === null || logon.time === null ? null : whenAgo(logon.time);
  return name === null ? null : statedParts(name, at, statedText(logon.source));
}

/** The failing policies of a device that is not compliant; null for other devices. */
function complianceText(device: Device): Mrkdwn | null {
  if (device.compliant !== false) return null;
  const failing = device.policyCompliance
    .filter(({ compliant }) => compliant === false)
    .map(({ policyId: id }) => policyName(device, id) ?? `policy ${id}`);
  return failing.length === 0
    ? md`Not compliant`
    : md`Not compliant with: ${listMrkdwn(failing, MAX_FAILING_POLICIES)}`;
}
const MAX_FAILING_POLICIES = 3;

/** `Online`, `Offline` or `Connection unknown`. */
export function connectionText({ connected }: Pick<Device, 'connected'>): Mrkdwn {
  if (connected === null) return md`Connection unknown`;
  return connected ? md`Online` : md`Offline`;
}

/** Further conditions, each after a comma. Status words of the service are shown unchanged (§3). */
function attentionText(device: Device): Mrkdwn {
  const { exception, needsAttention } = device;
  const notes = [
    exception === true ? md`excluded from reports and statistics` : null,
    needsAttention === true ? md`needs attention` : null,
    policyStatusNote(device),
  ].filter((note) => note !== null);
  return notes.reduce((all, note) => md`${all}, ${note}`, md``);
}

function lastSeenText(device: Device): Mrkdwn | null {
  if (device.connected === true) return md`Now`;
  const at = lastSeenAt(device);
  return at === null ? null : whenAgo(at);
}

/** When the last scan was, and whether it failed; null where neither is stated. The Updates page shows it too. */
export function lastScan({ lastRefreshTime, lastScanFailed }: Device): Mrkdwn | null {
  if (lastRefreshTime === null) return lastScanFailed === true ? md`Failed` : null;
  return lastScanFailed === true ? md`${whenAgo(lastRefreshTime)}, failed` : whenAgo(lastRefreshTime);
}

/** `, 3 pending patches, reboot required`, without parts that are not stated. */
function pendingWorkText({ pendingPatches, needsReboot }: Device): Mrkdwn {
  const patches =
    pendingPatches === null ? md`` : md`, ${countText(pendingPatches, 'pending patch', 'pending patches')}`;
  return md`${patches}${needsReboot === true ? md`, reboot required` : md``}`;
}

/** Null where it contradicts `compliant`, which counts: the service's word takes pending policies for failing ones. */
export function policyStatusNote({ compliant, policyStatus: word }: Device): Mrkdwn | null {
  const isContradicted = compliant === false || (compliant === true && word === 'non-compliant');
  if (isContradicted || word === null || word === '') return null;
  return md`policy status: ${escapeMrkdwn(word, DISPLAY_LIMIT.label)}`;
}
