/** Events (§2.8) as they are sent; `data` depends on the name and is null, an empty list or a text for some rows. */
import {
  type DeviceId,
  deviceId,
  eventId,
  type OrganizationId,
  type PolicyId,
  policyId,
  type ServiceUserId,
  serviceUserId,
} from '../../ids.ts';
import type { EventPerson, FleetEvent } from '../model.ts';
import { exitCode, number, part, type Raw, reference, text, texts, time } from './fields.ts';
import { parsePatches } from './patches.ts';
import { another, anotherId, type ReadRow, rowReader } from './rows.ts';

/** What was asked for. The live service ignores filters that it does not know, so rows are checked against them. */
export type AskedEvents = {
  readonly organizationId: OrganizationId;
  readonly deviceId?: DeviceId | undefined;
  readonly policyId?: PolicyId | undefined;
  readonly userId?: ServiceUserId | undefined;
  readonly name?: string | undefined;
};

/** An event without any data. */
const NOTHING: Raw = {};

/**
 * Reads the events that were asked for. Only an event of another organization is left out by itself: refusing its
 * page would silence every alert for as long as it is listed.
 */
export function eventReader(asked: AskedEvents): ReadRow<FleetEvent> {
  return rowReader({
    foreign: (raw) =>
      anotherId('device', raw['server_id'], asked.deviceId) ??
      anotherId('policy', raw['policy_id'], asked.policyId) ??
      anotherId('user', raw['user_id'], asked.userId) ??
      another('name', text(raw['name']), asked.name),
    build: (raw, id) => build(raw, id, part(raw['data']) ?? NOTHING),
    stray: (raw) => anotherId('organization', raw['organization_id'], asked.organizationId) !== null,
  });
}

function build(raw: Raw, id: number, data: Raw): FleetEvent {
  return {
    id: eventId(id),
    name: text(raw['name']) ?? '',
    userId: reference(raw['user_id'], serviceUserId),
    deviceId: reference(raw['server_id'], deviceId),
    deviceName: text(raw['server_name']) ?? text(data['systemname']),
    policyId: reference(raw['policy_id'], policyId),
    policyName: text(raw['policy_name']),
    policyType: text(raw['policy_type_name']),
    createTime: time(raw['create_time']),
    patches: parsePatches(Array.isArray(data['patches']) ? texts(data['patches']) : text(data['patches'])),
    failure: text(data['failure']),
    text: text(data['text']),
    exitCode: exitCode(number(data['status'])),
    operatingSystem: text(data['os']),
    address: text(data['ip']),
    notificationResponse: text(data['response']),
    notificationId: text(data['notification_id']),
    scheduledTime: time(data['scheduled_time']),
    person: readPerson(data),
  };
}

/** Null where the data names nobody. */
function readPerson(data: Raw): EventPerson | null {
  const firstName = text(data['firstname']);
  const lastName = text(data['lastname']);
  const email = text(data['email']);
  const organizationName = text(data['orgname']);
  const isNobody = (firstName ?? lastName ?? email ?? organizationName) === null;
  return isNobody ? null : { firstName, lastName, email, organizationName };
}
