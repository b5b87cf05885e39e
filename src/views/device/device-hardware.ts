/** What a device is made of, its agent and its record. */
import type { DeviceDetail, Disk } from '../../fleet/device-parts.ts';
import type { Device } from '../../fleet/model.ts';
import { bytes } from '../bytes.ts';
import { context } from '../kit/blocks.ts';
import { joined, type Mrkdwn, md } from '../kit/escape.ts';
import { SHOWN } from '../kit/limits.ts';
import {
  present,
  type StatedFact,
  statedFields,
  statedParts,
  statedText,
  statedTime,
  statedYesNo,
} from '../stated.ts';
import { every } from '../words.ts';
import type { PageContent } from './device-pages.ts';

const MOST_DISKS = 10;

export function hardware(device: Device, shared: boolean): PageContent {
  const { detail } = device;
  const facts = [
    ...(detail === null ? [] : machine(detail)),
    ...(shared ? [] : numbers(device)),
    ...system(device),
    ...record(device, shared),
  ];
  const hidden = shared ? [context(md`Serial numbers are hidden here.`)] : [];
  const absent = detail === null ? [context(md`The agent hasn’t reported any hardware yet.`)] : [];
  return {
    sum: detail === null ? md`no hardware reported` : (model(detail) ?? md`model not reported`),
    body: [...statedFields(facts), ...hidden, ...absent],
  };
}

function machine(detail: DeviceDetail): readonly StatedFact[] {
  return [
    { label: 'Model', value: model(detail) },
    { label: 'Board or model version', value: statedText(detail.version) },
    { label: 'Processor', value: statedText(detail.cpu === null ? null : detail.cpu.trim()) },
    { label: 'Memory', value: detail.ramBytes === null ? null : bytes(detail.ramBytes) },
    { label: 'Disks', value: disks(detail.disks) },
    { label: 'PowerShell', value: statedText(detail.shellVersion) },
    { label: 'WMI integrity', value: statedText(detail.wmiIntegrity) },
  ];
}

function model({ vendor, model: name }: DeviceDetail): Mrkdwn | null {
  const parts = [vendor, name].filter((part) => part !== null && part !== '');
  return statedText(parts.join(' '));
}

function disks(all: readonly Disk[]): Mrkdwn | null {
  if (all.length === 0) return null;
  const shown = all
    .slice(0, MOST_DISKS)
    .map(({ type, sizeBytes }) => joined(present(statedText(type), bytes(sizeBytes)), ', '));
  const left = all.length - shown.length;
  return left === 0 ? joined(shown, '\n') : md`${joined(shown, '\n')}\nand ${left} more`;
}

/** What is on the sticker of the one device. */
function numbers({ serialNumber, detail }: Device): readonly StatedFact[] {
  const board = detail?.serial ?? null;
  return [
    { label: 'Serial number', value: statedText(serialNumber) },
    ...(board === null || board === serialNumber
      ? []
      : [{ label: 'Reported serial number', value: statedText(board) }]),
    ...(detail === null ? [] : [{ label: 'Service tag', value: statedText(detail.serviceTag) }]),
  ];
}

function system(device: Device): readonly StatedFact[] {
  const { agentVersion, deviceStatus, agentStatus, uptime } = device;
  return [
    {
      label: 'OS version',
      value: osVersion(device),
    },
    { label: 'Agent', value: statedParts(statedText(agentVersion), statedText(agentStatus, SHOWN.label)) },
    { label: 'Status', value: statedText(deviceStatus) },
    { label: 'Compatible', value: statedYesNo(device.compatible) },
    { label: 'Time zone', value: statedText(device.timezone) },
    {
      label: 'Scan interval',
      value: device.refreshIntervalMinutes === null ? null : every(device.refreshIntervalMinutes),
    },
    // Its unit is disputed ("management API in practice" 5.1), so it gets none.
    {
      label: 'Uptime at last scan',
      value: uptime === null ? null : md`${uptime} (unit not documented)`,
    },
  ];
}

/** With the number that `preview` takes for it. */
function osVersion({ osVersion: version, osVersionId: id }: Device): Mrkdwn | null {
  const words = statedText(version);
  if (words === null || id === null) return words ?? (id === null ? null : md`#${id}`);
  return md`${words} (#${id})`;
}

function record(device: Device, shared: boolean): readonly StatedFact[] {
  const { detail } = device;
  return [
    { label: 'Added', value: statedTime(device.createTime) },
    { label: 'Last processed', value: statedTime(device.lastProcessTime) },
    { label: 'Organizational unit', value: statedText(device.organizationalUnit) },
    { label: 'Distinguished name', value: statedText(detail === null ? null : detail.distinguishedName) },
    { label: 'Notes', value: statedText(device.notes, SHOWN.sentence) },
    { label: 'UUID', value: statedText(device.uuid) },
    ...(shared ? [] : [{ label: 'Instance', value: statedText(device.instanceId) }]),
  ];
}
