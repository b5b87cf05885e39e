/** Reads of policies and organizations (§4.10). */
import type { OrganizationId, PolicyId } from '../../ids.ts';
import type { FleetReader, ReadOptions } from '../fleet.ts';
import type { Policy } from '../policy.ts';
import { organizationReader } from '../schema/organization.ts';
import { policyReader } from '../schema/policy.ts';
import type { Reads, Whole } from './reads.ts';

type PolicyReads = Pick<FleetReader, 'policies' | 'policy' | 'organizations'>;

export function policyReads(reads: Reads, o: OrganizationId): PolicyReads {
  return {
    policies(options) {
      return reads.pages({ method: 'GET', path: '/policies', query: { o } }, policyReader(o), options);
    },
    async policy(id, options = {}) {
      return (await wholePolicy(reads, o, id, options)).read;
    },
    organizations(options) {
      // The one list without `o`: it is of all that the key sees.
      return reads.pages({ method: 'GET', path: '/orgs', query: {} }, organizationReader(), options);
    },
  };
}

export function wholePolicy(
  reads: Reads,
  o: OrganizationId,
  id: PolicyId,
  options: ReadOptions,
): Promise<Whole<Policy>> {
  return reads.whole({ path: '/policies/{id}', id, query: { o } }, policyReader(o, id), options);
}
