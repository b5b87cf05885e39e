/** Reads of policies and organizations (§4.10). */
import type { OrganizationId, PolicyId } from '../../lib/ids.ts';
import type { FleetReader, ReadOptions } from '../fleet.ts';
import type { Policy } from '../model/policy.ts';
import { organizationReader, policyReader } from '../schema/policy.ts';
import type { Reads, WithRaw } from './reads.ts';

/** Reads of organization `o`; `organizations` is not limited to it. All throw {@link FleetFailure}. */
export function policyReads(
  reads: Reads,
  o: OrganizationId,
): Pick<FleetReader, 'policies' | 'policy' | 'organizations'> {
  return {
    policies(options) {
      return reads.pages({ method: 'GET', path: '/policies', query: { o } }, policyReader(o), options);
    },
    async policy(id, options = {}) {
      return (await readRawPolicy(reads, o, id, options)).read;
    },
    organizations(options) {
      // The only list without `o`: it covers everything the key sees.
      return reads.pages({ method: 'GET', path: '/orgs', query: {} }, organizationReader(), options);
    },
  };
}

/** One policy with its raw object, which holds scripts and secrets. Throws {@link FleetFailure}. */
export function readRawPolicy(
  reads: Reads,
  o: OrganizationId,
  id: PolicyId,
  options: ReadOptions,
): Promise<WithRaw<Policy>> {
  return reads.withRaw({ path: '/policies/{id}', id, query: { o } }, policyReader(o, id), options);
}
