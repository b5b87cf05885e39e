/** Events (§2.8) as they are sent; `data` depends on the name, and is null, an empty list or a text in some rows. */
import {
  type DeviceId,
  deviceId,
  eventId,
  type OrganizationId,
  type PolicyId,
  policyId,
  type ServiceUserId,
  serviceUserId,
} from '../../lib/ids.ts';
import type { EventPerson, FleetEvent } from '../model/resources.ts';
import {
  asExitCode,
  asId,
  asInstant,
  asObject,
  asReference,
  asText,
  asTexts,
  type RawObject,
} from './fields.ts';
import { parsePatches } from './patches.ts';
import { idMismatch, mismatch, type RowReader, rowReader } from './rows.ts';

/**
 * What the request asked for. The live service ignores filters that it does not know, so rows are checked against
 * them.
 */
export type ExpectedEvents = {
  readonly organizationId: OrganizationId;
  readonly deviceId?: DeviceId | undefined;
  readonly policyId?: PolicyId | undefined;
  readonly userId?: ServiceUserId | undefined;
  readonly name?: string | undefined;
};

const NO_DATA: RawObject = {};

/**
 * Reads the requested events. Only events of other organizations are left out one by one: rejecting the whole page
 * would silence every alert for as long as such a row is listed.
 */
export function eventReader(expected: ExpectedEvents): RowReader<FleetEvent> {
  return rowReader({
    mismatch: (raw) =>
      idMismatch('device', raw['server_id'], expected.deviceId) ??
      ignoredFilter('policy', raw['policy_id'], expected.policyId) ??
      ignoredFilter('user', raw['user_id'], expected.userId) ??
      mismatch('name', asText(raw['name']), expected.name),
    build: (raw, id) => buildEvent(raw, id, asObject(raw['data']) ?? NO_DATA),
    isForeign: (raw) => idMismatch('organization', raw['organization_id'], expected.organizationId) !== null,
  });
}

/**
 * Rejects rows that name nothing too: a service that ignores the filter lists mostly events without a policy or a
 * user, and all of them would pass as events of the requested one.
 */
function ignoredFilter(what: string, named: unknown, expected: number | undefined): string | null {
  if (expected === undefined || asId(named) !== null) return idMismatch(what, named, expected);
  return `a row without a ${what}: the service ignored the filter`;
}

function buildEvent(raw: RawObject, id: number, data: RawObject): FleetEvent {
  return {
    id: eventId(id),
    name: asText(raw['name']) ?? '',
    userId: asReference(raw['user_id'], serviceUserId),
    deviceId: asReference(raw['server_id'], deviceId),
    deviceName: asText(raw['server_name']) ?? asText(data['systemname']),
    policyId: asReference(raw['policy_id'], policyId),
    policyName: asText(raw['policy_name']),
    policyType: asText(raw['policy_type_name']),
    createTime: asInstant(raw['create_time']),
    patches: parsePatches(
      Array.isArray(data['patches']) ? asTexts(data['patches']) : asText(data['patches']),
    ),
    failure: asText(data['failure']),
    text: asText(data['text']),
    exitCode: asExitCode(data['status']),
    operatingSystem: asText(data['os']),
    address: asText(data['ip']),
    notificationResponse: asText(data['response']),
    notificationId: asText(data['notification_id']),
    scheduledTime: asInstant(data['scheduled_time']),
    person: readPerson(data),
  };
}

/** Null when the data names no person. */
function readPerson(data: RawObject): EventPerson | null {
  const firstName = asText(data['firstname']);
  const lastName = asText(data['lastname']);
  const email = asText(data['email']);
  const organizationName = asText(data['orgname']);
  const isNobody = (firstName ?? lastName ?? email ?? organizationName) === null;
  return isNobody ? null : { firstName, lastName, email, organizationName };
}
