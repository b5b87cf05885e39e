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
import type { Unchanging } from '../../lib/record-fields.ts';
import {
  asExitCode,
  asId,
  asInstant,
  asObject,
  asReference,
  asText,
  asTexts,
  idMismatch,
  mismatch,
  type RawObject,
  type RowReader,
  rowReader,
} from './rows.ts';

/** The live service ignores filters that it does not know, so rows are checked against them. */
type ExpectedEvents = {
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

/** An event (§2.8) with the parts of `data` that we understand. */
export interface FleetEvent extends Unchanging<ReturnType<typeof buildEvent>> {}

function buildEvent(raw: RawObject, id: number, data: RawObject) {
  return {
    id: eventId(id),
    /** One of the names of §6, or a newer one: an open string. */
    name: asText(raw['name']) ?? '',
    userId: asReference(raw['user_id'], serviceUserId),
    deviceId: asReference(raw['server_id'], deviceId),
    deviceName: asText(raw['server_name']) ?? asText(data['systemname']),
    policyId: asReference(raw['policy_id'], policyId),
    policyName: asText(raw['policy_name']),
    createTime: asInstant(raw['create_time']),
    patches: parsePatches(
      Array.isArray(data['patches']) ? asTexts(data['patches']) : asText(data['patches']),
    ),
    /** Why it failed, in the agent's words. */
    failure: asText(data['failure']),
    /** Free text of a policy action. */
    text: asText(data['text']),
    /** Raw exit code of a policy action; 0 is success and a value. */
    exitCode: asExitCode(data['status']),
    operatingSystem: asText(data['os']),
    address: asText(data['ip']),
    /** What the person answered to a notification on the device. */
    notificationResponse: asText(data['response']),
    scheduledTime: asInstant(data['scheduled_time']),
  };
}

/** One patch as named in an event's data: its machine name and, in the newer form, the rest. */
export type PatchMention = {
  readonly name: string;
  readonly version: string | null;
  readonly displayName: string | null;
};

const SPACE = 32;
const COMMA = 44;

/**
 * The text forms of an event's `data.patches`: quoted names separated by spaces (older); `name|version|display
 * name|repo|0 or 1`, quoted or not, separated by commas (newer); bare names separated by commas or spaces.
 *
 * Each patch is added to the list as it is found: this field takes longest of all fields of an event, and
 * intermediate lists took most of that time.
 */
export function parsePatches(patches: string | readonly string[] | null): readonly PatchMention[] {
  const found: PatchMention[] = [];
  if (typeof patches === 'string') addText(found, patches);
  else if (patches !== null) for (const token of patches) addPatch(found, token);
  return found;
}

/** Quoted tokens and the bare ones between them; an open quote extends to the end. */
function addText(found: PatchMention[], text: string): void {
  for (let at = 0; ; ) {
    const open = text.indexOf('"', at);
    addBare(found, text, at, open === -1 ? text.length : open);
    if (open === -1) return;
    const close = text.indexOf('"', open + 1);
    addPatch(found, text.slice(open + 1, close === -1 ? text.length : close));
    if (close === -1) return;
    at = close + 1;
  }
}

/** The unquoted text from `start` to `end`, nearly always only a separator between two quoted tokens. */
function addBare(found: PatchMention[], text: string, start: number, end: number): void {
  let at = start;
  while (at < end && isSeparator(text.charCodeAt(at))) at += 1;
  if (at < end) for (const token of bareTokens(text.slice(at, end))) addPatch(found, token);
}

function isSeparator(code: number): boolean {
  return code === SPACE || code === COMMA;
}

function bareTokens(text: string): readonly string[] {
  const inner = text.replace(/^[\s,]+/, '');
  if (inner === '') return [];
  return fullTokens(inner) ?? inner.split(inner.includes('|') || inner.includes(',') ? ',' : /\s+/);
}

/**
 * Tokens with all five fields; null when the text does not consist of them. A display name may contain commas, so the
 * pipes are counted: every fourth one is followed by the last field of its token and the name of the next.
 */
function fullTokens(text: string): readonly string[] | null {
  const [first = '', ...fields] = text.split('|');
  if (fields.length === 0 || fields.length % 4 !== 0) return null;
  const tokens: string[] = [];
  let name = first;
  for (let at = 0; at < fields.length; at += 4) {
    const joint = /^[01]\s*(?:,(.*))?$/s.exec(fields[at + 3] ?? '');
    const isLast = at + 4 === fields.length;
    if (joint === null || (joint[1] === undefined && !isLast)) return null;
    tokens.push([name, fields[at], fields[at + 1]].join('|'));
    name = joint[1] ?? '';
  }
  return [...tokens, name];
}

/** Adds the patch of one token, unless it has no name. */
function addPatch(found: PatchMention[], token: string): void {
  const nameEnd = token.indexOf('|');
  if (nameEnd === -1) {
    const name = token.trim();
    if (name !== '') found.push({ name, version: null, displayName: null });
    return;
  }
  const name = token.slice(0, nameEnd).trim();
  if (name === '') return;
  const versionEnd = token.indexOf('|', nameEnd + 1);
  const version = fieldBetween(token, nameEnd, versionEnd);
  const displayName =
    versionEnd === -1 ? null : fieldBetween(token, versionEnd, token.indexOf('|', versionEnd + 1));
  found.push({ name, version, displayName });
}

/** The text between the pipe at `pipe` and the one at `end` (-1: none); null when empty. */
function fieldBetween(token: string, pipe: number, end: number): string | null {
  const value = token.slice(pipe + 1, end === -1 ? token.length : end).trim();
  return value === '' ? null : value;
}
