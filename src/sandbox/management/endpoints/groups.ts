/** Read, replace and delete server groups (§4.10), and create them (§4.1). */
import { z } from 'zod';
import type { WorldGroup } from '../world/model.ts';
import { uuidOf } from '../world/random.ts';
import type { World } from '../world/world.ts';
import {
  booleanField,
  type Call,
  groupOf,
  integerField,
  invalid,
  listField,
  noContentResponse,
  PageQuery,
  parseBody,
  parseQuery,
  plainErrorResponse,
  rangeField,
  requiredField,
  requireGroups,
  selectedField,
  slicePage,
  textField,
  type View,
} from './requests.ts';
import { deviceTime } from './time-formats.ts';

export function listGroups(call: Call): Response {
  const page = slicePage([...call.world.groups.values()], parseQuery(call, PageQuery));
  return Response.json(page.map((group) => groupJson(group, call)));
}

export function getGroup(call: Call): Response {
  return Response.json(groupJson(groupOf(call), call));
}

export function createGroup(call: Call): Response {
  const body = parseBody(call, groupBody(call));
  checkPlace(call, undefined, body);
  checkPolicies(call, body);
  const { world } = call;
  const group = { ...groupFields(body, call), id: world.nextGroupId++ };
  world.groups.set(group.id, group);
  return Response.json(createdGroupJson(group, world.organizationId), { status: 201 });
}

/** Replaces the whole group: missing fields are cleared ("in practice" 7). */
export function updateGroup(call: Call): Response {
  const group = groupOf(call);
  const body = parseBody(call, groupBody(call));
  if (isDefaultGroup(group)) {
    // Assumption (§2.1): the Default group keeps its blank name and stays its own parent.
    if (body.name !== '') throw invalid({ name: [selectedField('name')] });
    if (body.parent_server_group_id !== group.id) throw invalidParent();
  } else checkPlace(call, group.id, body);
  checkPolicies(call, body);
  call.world.groups.set(group.id, { ...groupFields(body, call), id: group.id });
  return noContentResponse();
}

/**
 * Moves its devices to the Default group.
 * Assumption (§4.10): the groups under it become top-level.
 */
export function deleteGroup(call: Call): Response {
  const { groups, devices } = call.world;
  const group = groupOf(call);
  // Assumption (§4.10): the Default group cannot be deleted, because the devices of deleted groups move to it.
  if (isDefaultGroup(group)) return plainErrorResponse(400, 'The Default group cannot be deleted.');
  const home = [...groups.values()].find(isDefaultGroup);
  if (home === undefined) throw new Error('The organization has no Default group.');
  groups.delete(group.id);
  for (const child of groups.values())
    if (child.parentId === group.id) groups.set(child.id, { ...child, parentId: home.id });
  for (const device of devices.values()) if (device.groupId === group.id) devices.move(device, home.id);
  return noContentResponse();
}

const DAY_MINUTES = 1_440;

/** The same rules for a create and a replacement. */
function groupBody({ profile }: Call) {
  return z.object({
    name: textField('name'),
    refresh_interval: rangeField('refresh_interval', profile.leastRefreshMinutes, DAY_MINUTES),
    parent_server_group_id: integerField('parent_server_group_id'),
    // Any text is accepted (§2.1).
    ui_color: textField('ui_color').nullish(),
    notes: textField('notes').nullish(),
    enable_os_auto_update: booleanField('enable_os_auto_update').nullish(),
    enable_wsus: booleanField('enable_wsus').nullish(),
    wsus_server: textField('wsus_server').nullish(),
    policies: listField('policies', integerField('policies')).nullish(),
  });
}
type GroupBody = z.output<ReturnType<typeof groupBody>>;

function groupFields(body: GroupBody, { now }: Call): Omit<WorldGroup, 'id'> {
  const [managed, server] = [body.enable_wsus ?? null, body.wsus_server ?? null];
  return {
    name: body.name,
    parentId: body.parent_server_group_id,
    refreshMinutes: body.refresh_interval,
    color: body.ui_color ?? null,
    notes: body.notes ?? '',
    osAutoUpdate: body.enable_os_auto_update ?? null,
    wsus: managed === null && server === null ? null : { managed, server, setAt: now },
    policies: [...new Set(body.policies ?? [])],
  };
}

/**
 * Only an existing group can form a loop: `ownId` is undefined for a new one.
 * Assumption (§4.1): only groups of one parent need different names; a public script gives each parent the same ones.
 */
function checkPlace(call: Call, ownId: number | undefined, body: GroupBody): void {
  const { name, parent_server_group_id: parentId } = body;
  if (name.trim() === '') throw invalid({ name: [requiredField('name')] });
  const siblings = [...call.world.groups.values()].filter((group) => group.parentId === parentId);
  // Seen live: AutomoxCommunity/se-utilities-public, DynamicGrouping.py, 2026.
  if (siblings.some((group) => group.id !== ownId && group.name === name))
    throw invalid({ name: ['The name has already been taken.'] });
  requireGroups(call, [parentId]);
  if (ownId !== undefined && makesLoop(call.world, ownId, parentId)) throw invalidParent();
}

function checkPolicies({ world }: Call, { policies }: GroupBody): void {
  if (!(policies ?? []).every((id) => world.policies.has(id)))
    throw invalid({ policies: [selectedField('policies')] });
}

function invalidParent() {
  return invalid({ parent_server_group_id: [selectedField('parent_server_group_id')] });
}

/** The Default group is its own parent (§2.1). */
function isDefaultGroup(group: WorldGroup): boolean {
  return group.parentId === group.id;
}

/** Whether this parent would make `id` its own ancestor. */
function makesLoop({ groups }: World, id: number, parentId: number): boolean {
  let above = groups.get(parentId);
  while (above !== undefined && above.id !== id)
    above = isDefaultGroup(above) ? undefined : groups.get(above.parentId);
  return above !== undefined;
}

/** §2.1. Only a group that is read has a `uuid`, and in older recordings none has (terraform-provider-automox, 2026). */
function groupJson(group: WorldGroup, { world, profile }: View): object {
  return {
    ...createdGroupJson(group, world.organizationId),
    ...(profile.newerFields ? { uuid: uuidOf(`group ${group.id}`) } : {}),
    server_count: world.devices.counts().get(group.id) ?? 0,
    policies: group.policies,
  };
}

/** The answer to a create (§4.1): without the policies and the WSUS fields. */
function createdGroupJson(group: WorldGroup, organizationId: number): object {
  const { wsus } = group;
  return {
    ...briefGroupJson(group, organizationId),
    ui_color: group.color,
    notes: group.notes,
    enable_os_auto_update: group.osAutoUpdate,
    wsus_config: wsus && {
      id: group.id * 10,
      server_group_id: group.id,
      is_managed: wsus.managed,
      server_url: wsus.server,
      created_at: deviceTime(wsus.setAt),
      updated_at: deviceTime(wsus.setAt),
    },
  };
}

/** The group inside a row of a preview ("in practice" 1). */
export function briefGroupJson(group: WorldGroup, organizationId: number): object {
  return {
    id: group.id,
    organization_id: organizationId,
    name: group.name,
    refresh_interval: group.refreshMinutes,
    parent_server_group_id: group.parentId,
  };
}
