/** Commands to devices. Each is sent once; a lost answer is an outcome, not an exception. */
import type { DeviceId, OrganizationId, PolicyId } from '../lib/ids.ts';
import { cut } from '../lib/text.ts';
import type { Dialect } from './dialect.ts';
import type { FleetWriter, UnacceptedWrite } from './fleet.ts';
import type { FailedCall } from './http/call-outcome.ts';
import type { Calls } from './http/calls.ts';
import { unsendable } from './http/errors.ts';
import type { HttpRequest } from './http/http-client.ts';
import type { FleetCommand } from './model/actions.ts';
import { type ChangeFault, MAX_FAULT_TEXT } from './model/changes.ts';
import { type EncodedCommand, encodeCommand } from './queue-entries.ts';

const ISSUE = { method: 'POST', path: '/servers/{id}/queues' } as const;

export function createWriter(calls: Calls, organizationId: OrganizationId, dialect: Dialect): FleetWriter {
  return {
    async issue(id, command, options) {
      const request = requestOf(id, command, dialect);
      if (request.kind === 'inexpressible')
        return { kind: 'refused', error: unsendable(ISSUE, faultOf(request)) };
      const outcome = await calls.write({ ...request.wire, query: { o: organizationId } }, options);
      // The documented answer is 201 without a body; 200, 204 and any JSON are known too (§4.3).
      return outcome.kind === 'answered' ? { kind: 'accepted' } : failedWrite(outcome);
    },
  };
}

type WireRequest = Omit<HttpRequest, 'query'>;

/**
 * The one request of a command. It never has `exec_time`, because only samples have it (§4.3). Assumption (§4.3): a
 * policy is tested by its queue command in both dialects; no other way is known.
 */
function requestOf(
  id: DeviceId,
  command: FleetCommand,
  dialect: Dialect,
):
  | { readonly kind: 'request'; readonly wire: WireRequest }
  | Extract<EncodedCommand, { kind: 'inexpressible' }> {
  if (command.kind === 'policy-remediate' && dialect.remediate === 'action')
    return { kind: 'request', wire: remediateOne(id, command.policyId) };
  const encoded = encodeCommand(command);
  if (encoded.kind === 'inexpressible') return encoded;
  const { type, args } = encoded.command;
  const body = { command_type_name: type, ...(args === '' ? {} : { args }) };
  return { kind: 'request', wire: { ...ISSUE, id, body } };
}

/** For one device. The service can run a policy on all of its devices by one request, which proves none: it is never sent. */
function remediateOne(id: DeviceId, policy: PolicyId): WireRequest {
  const body = { action: 'remediateServer', serverId: id };
  return { method: 'POST', path: '/policies/{id}/action', id: policy, body };
}

/** A write that failed: whether it never left, may be sent later, was turned down, or may have happened. */
export function failedWrite(failed: FailedCall): UnacceptedWrite {
  const { error, sent, retryAfterMs, withheld } = failed;
  if (withheld === true) return { kind: 'withheld' };
  // Assumption (§8): what is refused for its rate did nothing.
  if (!sent || error.kind === 'throttled') return { kind: 'unsent', error, retryAfterMs };
  return { kind: mayHaveHappened(failed) ? 'unknown' : 'refused', error };
}

/**
 * Whether a write that was sent and failed may have been carried out all the same. Certainly not where the service
 * refused with a 4xx, except 408: there a gateway may speak for a service that went on.
 */
function mayHaveHappened({ error: { status } }: Pick<FailedCall, 'error'>): boolean {
  return status === null || status < 400 || status >= 500 || status === 408;
}

function faultOf({ reason, name }: Extract<EncodedCommand, { kind: 'inexpressible' }>): ChangeFault {
  return reason === 'no-packages'
    ? { kind: 'nothing-named', what: 'package' }
    : { kind: 'package-name', name: cut(name, MAX_FAULT_TEXT) };
}
