/** From what somebody typed, or what a button or a menu carries, to one policy. */
import { collectRows } from '../../fleet/collect-rows.ts';
import type { Policy } from '../../fleet/policy.ts';
import { type PolicyId, policyId } from '../../ids.ts';
import type { Problem, View } from '../../views/model.ts';
import type { Choice } from '../../views/models/report-model.ts';
import type { ReadPorts } from '../command.ts';
import type { Ref } from './named.ts';
import { type Naming, oneMeant } from './one-meant.ts';
import { PERSON } from './resolve.ts';

export type PolicyMeant =
  | { readonly kind: 'one'; readonly id: PolicyId }
  | { readonly kind: 'view'; readonly view: View };

/** The policy of this name or number, or what to show instead; `again` runs the command with one of several. */
export async function policyMeant(
  given: Ref,
  again: (id: number) => Choice,
  { fleet }: Pick<ReadPorts, 'fleet'>,
): Promise<PolicyMeant> {
  const all = typeof given === 'number' ? [] : await collectRows(fleet.policies(PERSON));
  const found = oneMeant(given, all, policyNaming(again));
  return found.kind === 'one' ? { kind: 'one', id: policyId(found.id) } : found;
}

/** The policy of this number is not there. */
export function noSuchPolicy(id: PolicyId): Problem {
  return { kind: 'no-such-policy', query: `#${id}`, nearest: [] };
}

/** Policies of one name differ in their kind. */
export function policyNaming(again: (id: number) => Choice): Naming<Policy> {
  return { what: 'policy', nameOf: ({ name }) => name, detailOf: ({ type }) => type, again };
}
