/** The writes of the management service. Each is sent once; a lost answer is an outcome, not an exception. */
import type { OrganizationId } from '../ids.ts';
import type { Calls } from './calls.ts';
import { type Encoded, encodeCommand } from './commands.ts';
import { fleetError } from './errors.ts';
import type { FleetWriter, IssueOutcome } from './fleet.ts';
import type { Failed, Outcome } from './outcome.ts';

const ISSUE = { method: 'POST', path: '/servers/{id}/queues' } as const;

/** Writes of one organization. */
export function createWriter(calls: Calls, organizationId: OrganizationId): FleetWriter {
  return {
    async issue(id, command) {
      const encoded = encodeCommand(command);
      if (encoded.kind === 'inexpressible') return refusedHere(encoded);
      const { type, args } = encoded.command;
      const body = { command_type_name: type, ...(args === '' ? {} : { args }) };
      return issueOutcome(await calls.write({ ...ISSUE, id, query: { o: organizationId }, body }));
    },
  };
}

/** The documented answer is 201 without a body; 200, 204 and any JSON are known too (§4.3). */
export function issueOutcome(outcome: Outcome): IssueOutcome {
  if (outcome.kind === 'answered') return { kind: 'accepted' };
  return { kind: mayHaveHappened(outcome) ? 'unknown' : 'refused', error: outcome.error };
}

/**
 * Whether a write that failed may have been carried out all the same. Certainly not where nothing was sent
 * or the service refused with a 4xx, except 408: there a gateway may speak for a service that went on.
 */
export function mayHaveHappened({ sent, error: { status } }: Pick<Failed, 'sent' | 'error'>): boolean {
  if (!sent) return false;
  return status === null || status < 400 || status >= 500 || status === 408;
}

function refusedHere({ reason, name }: Extract<Encoded, { kind: 'inexpressible' }>): IssueOutcome {
  const detail =
    reason === 'no-packages'
      ? 'no package was named'
      : `the service takes names separated by spaces, so it cannot be told ${JSON.stringify(name.slice(0, 80))}`;
  return { kind: 'refused', error: fleetError(ISSUE, null, { kind: 'invalid' }, detail) };
}
