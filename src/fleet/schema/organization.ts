/** Organizations (§4.10) as they are sent. The agents' enrolment secret beside them has no place in the model. */
import { organizationId } from '../../ids.ts';
import type { Organization } from '../policy.ts';
import { number, type Raw, reference, text, time } from './fields.ts';
import { type ReadRow, rowReader } from './rows.ts';

/** Reads organizations. None is foreign: the list is of all that the key sees. */
export function organizationReader(): ReadRow<Organization> {
  return rowReader({ foreign: () => null, build });
}

function build(raw: Raw, id: number): Organization {
  return {
    id: organizationId(id),
    uuid: text(raw['uuid']),
    name: text(raw['name']) ?? '',
    tier: text(raw['tier']),
    createTime: time(raw['create_time']),
    parentId: reference(raw['parent_id'], organizationId),
    deviceCount: number(raw['device_count']),
    deviceLimit: number(raw['device_limit']),
  };
}
