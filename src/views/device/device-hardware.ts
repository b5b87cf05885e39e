/** What a device is made of, its agent and its record. */
import type { DeviceDetail, Disk } from '../../fleet/device-parts.ts';
import type { Device } from '../../fleet/model.ts';
import { bytes } from '../bytes.ts';
import { context, fields } from '../kit/blocks.ts';
import { joined, literal, type Mrkdwn, md } from '../kit/escape.ts';
import { SHOWN } from '../kit/limits.ts';
import { whenOr } from '../kit/when.ts';
import { every, known, yesNo } from '../words.ts';
import type { PageContent } from './device-pages.ts';

type Fact = { readonly label: string; readonly value: Mrkdwn };

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
    sum: detail === null ? md`no hardware reported` : model(detail),
    body: [...fields(facts), ...hidden, ...absent],
  };
}

function machine(detail: DeviceDetail): readonly Fact[] {
  return [
    { label: 'Model', value: model(detail) },
    { label: 'Board or model version', value: known(detail.version) },
    { label: 'Processor', value: known(detail.cpu === null ? null : detail.cpu.trim()) },
    { label: 'Memory', value: bytes(detail.ramBytes) },
    { label: 'Disks', value: disks(detail.disks) },
    { label: 'PowerShell', value: known(detail.shellVersion) },
    { label: 'WMI integrity', value: known(detail.wmiIntegrity) },
  ];
}

function model({ vendor, model: name }: DeviceDetail): Mrkdwn {
  const parts = [vendor, name].filter((part) => part !== null && part !== '');
  return known(parts.join(' '));
}

function disks(all: readonly Disk[]): Mrkdwn {
  if (all.length === 0) return md`Not stated`;
  const shown = all
    .slice(0, MOST_DISKS)
    .map(({ type, sizeBytes }) => md`${known(type, 'Kind not stated')}, ${bytes(sizeBytes)}`);
  const left = all.length - shown.length;
  return left === 0 ? joined(shown, '\n') : md`${joined(shown, '\n')}\nand ${left} more`;
}

/** What is on the sticker of the one device. */
function numbers({ serialNumber, detail }: Device): readonly Fact[] {
  const board = detail?.serial ?? null;
  return [
    { label: 'Serial number', value: known(serialNumber) },
    ...(board === null || board === serialNumber
      ? []
      : [{ label: 'Reported serial number', value: known(board) }]),
    ...(detail === null ? [] : [{ label: 'Service tag', value: known(detail.serviceTag) }]),
  ];
}

function system(device: Device): readonly Fact[] {
  const { agentVersion, deviceStatus, agentStatus, uptime, osVersionId } = device;
  return [
    {
      label: 'OS version',
      value: md`${known(device.osVersion)}${osVersionId === null ? md`` : md` (#${osVersionId})`}`,
    },
    { label: 'Agent', value: md`${known(agentVersion)}${word(agentStatus)}` },
    { label: 'Status', value: known(deviceStatus) },
    { label: 'Compatible', value: yesNo(device.compatible) },
    { label: 'Time zone', value: known(device.timezone) },
    {
      label: 'Scan interval',
      value: device.refreshIntervalMinutes === null ? md`Not stated` : every(device.refreshIntervalMinutes),
    },
    // Its unit is disputed ("management API in practice" 5.1), so it gets none.
    {
      label: 'Uptime at last scan',
      value: uptime === null ? md`Not stated` : md`${uptime} (unit not documented)`,
    },
  ];
}

function word(text: string | null): Mrkdwn {
  return text === null || text === '' ? md`` : md`, ${literal(text, SHOWN.label)}`;
}

function record(device: Device, shared: boolean): readonly Fact[] {
  const { detail } = device;
  return [
    { label: 'Added', value: whenOr(device.createTime, 'Not stated') },
    { label: 'Last processed', value: whenOr(device.lastProcessTime, 'Not stated') },
    { label: 'Organizational unit', value: known(device.organizationalUnit) },
    { label: 'Distinguished name', value: known(detail === null ? null : detail.distinguishedName) },
    { label: 'Notes', value: note(device.notes) },
    { label: 'UUID', value: known(device.uuid) },
    ...(shared ? [] : [{ label: 'Instance', value: known(device.instanceId) }]),
  ];
}

function note(text: string | null): Mrkdwn {
  return text === null || text === '' ? md`None` : literal(text, SHOWN.sentence);
}
