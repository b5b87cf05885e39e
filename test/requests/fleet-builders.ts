/** Devices, packages, events and errors of the simulated fleet. */

import type { FleetError } from '../../src/fleet/fleet.ts';
import type { Device, FleetEvent, Package } from '../../src/fleet/model/resources.ts';
import { deviceId, eventId, groupId, organizationId } from '../../src/lib/ids.ts';
import * as ordinary from '../harness/builders.ts';

export const ORGANIZATION = organizationId(77);
export const DEVICE = deviceId(42);

export function anError(
  kind: 'missing' | 'timeout' | 'forbidden' | 'unauthorized' | 'unreachable' | 'broken',
  status: number | null,
): FleetError {
  return { kind, method: 'GET', path: '/servers/{id}', status, detail: '' };
}

export function aDevice(change: Partial<Device> = {}): Device {
  return ordinary.aDevice({
    id: DEVICE,
    organizationId: ORGANIZATION,
    groupId: groupId(9),
    agentVersion: '2.0',
    tags: [],
    addresses: [],
    privateAddresses: [],
    serialNumber: null,
    lastLoggedInUser: 'alice',
    uptime: 5000,
    createTime: null,
    lastUpdateTime: null,
    lastRefreshTime: null,
    lastProcessTime: null,
    lastDisconnectTime: null,
    ...change,
  });
}

export function aPackage(name: string, change: Partial<Package> = {}): Package {
  return ordinary.aPackage({
    id: 1,
    name,
    displayName: name,
    version: '1',
    severity: null,
    cves: [],
    cveScore: null,
    ...change,
  });
}

export function anEvent(change: Partial<FleetEvent> = {}): FleetEvent {
  return ordinary.anEvent({
    id: eventId(1),
    deviceId: DEVICE,
    createTime: null,
    patches: [],
    failure: null,
    operatingSystem: null,
    address: null,
    ...change,
  });
}

/** Of a 2xx that carries an error. */
export const DECLINED: FleetError = {
  ...anError('broken', 201),
  kind: 'unreadable',
  detail: 'device is <in> maintenance',
  declined: true,
};
