/** The page of a device's hardware, operating system, agent and record. */
import type { Device, DeviceDetail, Disk } from '../../fleet/model/resources.ts';
import { context } from '../kit/blocks.ts';
import { inlineCode, joinMrkdwn, type Mrkdwn, md } from '../kit/escape.ts';
import { DISPLAY_LIMIT } from '../kit/limits.ts';
import { intervalText } from '../text/common-text.ts';
import { bytesText } from '../text/quantities.ts';
import {
  present,
  type StatedFact,
  statedFields,
  statedParts,
  statedText,
  statedTime,
  statedYesNo,
} from '../text/stated-facts.ts';
import type { PageContent } from './page-content.ts';

const MAX_DISKS = 10;

/** The content of the page. `shared`: without serial numbers and instance ID. */
export function hardwarePage(device: Device, shared: boolean): PageContent {
  const { detail } = device;
  const facts = [
    ...(detail === null ? [] : machineFacts(detail)),
    ...(shared ? [] : numberFacts(device)),
    ...systemFacts(device),
    ...recordFacts(device, shared),
  ];
  const hidden = shared ? [context(md`Serial numbers are hidden here.`)] : [];
  const absent = detail === null ? [context(md`The agent hasn’t reported any hardware yet.`)] : [];
  return {
    summary: detail === null ? md`no hardware reported` : (modelText(detail) ?? md`model not reported`),
    body: [...statedFields(facts), ...hidden, ...absent],
  };
}

function machineFacts(detail: DeviceDetail): readonly StatedFact[] {
  return [
    { label: 'Model', value: modelText(detail) },
    { label: 'Board or model version', value: statedText(detail.version) },
    { label: 'Processor', value: statedText(detail.cpu === null ? null : detail.cpu.trim()) },
    { label: 'Memory', value: sizeText(detail.ramBytes, detail.ramSent) },
    { label: 'Disks', value: disksText(detail.disks) },
    { label: 'PowerShell', value: statedText(detail.shellVersion) },
    { label: 'WMI integrity', value: statedText(detail.wmiIntegrity) },
  ];
}

/** As the agent wrote it, where that could not be read; null: it wrote nothing. */
function sizeText(size: number | null, sent: string | null): Mrkdwn | null {
  if (size !== null) return bytesText(size);
  return sent === null ? null : md`${bytesText(null)} (${inlineCode(sent, DISPLAY_LIMIT.label)})`;
}

function modelText({ vendor, model: name }: DeviceDetail): Mrkdwn | null {
  const parts = [vendor, name].filter((part) => part !== null && part !== '');
  return statedText(parts.join(' '));
}

function disksText(all: readonly Disk[]): Mrkdwn | null {
  if (all.length === 0) return null;
  const listed = all
    .slice(0, MAX_DISKS)
    .map(({ type, sizeBytes, sent }) =>
      joinMrkdwn(present(statedText(type), sizeText(sizeBytes, sent) ?? bytesText(null)), ', '),
    );
  const left = all.length - listed.length;
  return left === 0 ? joinMrkdwn(listed, '\n') : md`${joinMrkdwn(listed, '\n')}\nand ${left} more`;
}

/** Serial numbers, which identify a device: left out where the answer is shared. */
function numberFacts({ serialNumber, detail }: Device): readonly StatedFact[] {
  const board = detail?.serial ?? null;
  return [
    { label: 'Serial number', value: statedText(serialNumber) },
    ...(board === null || board === serialNumber
      ? []
      : [{ label: 'Reported serial number', value: statedText(board) }]),
    ...(detail === null ? [] : [{ label: 'Service tag', value: statedText(detail.serviceTag) }]),
  ];
}

function systemFacts(device: Device): readonly StatedFact[] {
  const { agentVersion, deviceStatus, agentStatus, uptime } = device;
  return [
    {
      label: 'OS version',
      value: osVersion(device),
    },
    {
      label: 'Agent',
      value: statedParts(statedText(agentVersion), statedText(agentStatus, DISPLAY_LIMIT.label)),
    },
    { label: 'Status', value: statedText(deviceStatus) },
    { label: 'Compatible', value: statedYesNo(device.compatible) },
    { label: 'Time zone', value: statedText(device.timezone) },
    {
      label: 'Scan interval',
      value: device.refreshIntervalMinutes === null ? null : intervalText(device.refreshIntervalMinutes),
    },
    // Sources disagree about the unit ("management API in practice" 5.1), so none is shown.
    {
      label: 'Uptime at last scan',
      value: uptime === null ? null : md`${uptime} (unit not documented)`,
    },
  ];
}

/** The version with its ID, which `preview` takes as a filter. */
function osVersion({ osVersion: version, osVersionId: id }: Device): Mrkdwn | null {
  const words = statedText(version);
  if (words === null || id === null) return words ?? (id === null ? null : md`#${id}`);
  return md`${words} (#${id})`;
}

function recordFacts(device: Device, shared: boolean): readonly StatedFact[] {
  const { detail } = device;
  return [
    { label: 'Added', value: statedTime(device.createTime) },
    { label: 'Last processed', value: statedTime(device.lastProcessTime) },
    { label: 'Organizational unit', value: statedText(device.organizationalUnit) },
    { label: 'Distinguished name', value: statedText(detail === null ? null : detail.distinguishedName) },
    { label: 'Notes', value: statedText(device.notes, DISPLAY_LIMIT.sentence) },
    { label: 'UUID', value: statedText(device.uuid) },
    ...(shared ? [] : [{ label: 'Instance', value: statedText(device.instanceId) }]),
  ];
}
