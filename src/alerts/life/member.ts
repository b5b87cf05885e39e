/**
 * The life of a member. Its latest failure, proof and removal are registers, compared by the service's own time and then
 * by the event, and its state follows from them: the service lists some events minutes late, so no order of arrival may
 * matter. Pure.
 */
import type { Instant } from '../../lib/clock.ts';
import type { EventId } from '../../lib/ids.ts';
import type { AlertMember, MemberState } from '../../store/port/alert-records.ts';

/** When something happened, and which event says so. */
export type Mark = { readonly at: Instant; readonly event: EventId };

type Registers = Pick<
  AlertMember,
  'failedAt' | 'failedEvent' | 'fixedAt' | 'fixedEvent' | 'closedAt' | 'closedEvent'
>;

/** What a later failure says anew. */
type FailureFacts = Pick<
  AlertMember,
  'deviceName' | 'packages' | 'reason' | 'operatingSystem' | 'policyName' | 'exitCode'
>;

export function isAfter({ at, event }: Mark, thanAt: Instant | null, thanEvent: EventId | null): boolean {
  if (thanAt === null || thanEvent === null) return true;
  return at > thanAt || (at === thanAt && event > thanEvent);
}

/** Only a later proof makes a failure fixed; a removal of the device closes it without one. */
export function memberState(of: Registers): MemberState {
  const { failedAt, failedEvent } = of;
  const endsIt = (at: Instant | null, event: EventId | null) =>
    at !== null && event !== null && isAfter({ at, event }, failedAt, failedEvent);
  if (endsIt(of.fixedAt, of.fixedEvent)) return 'fixed';
  return endsIt(of.closedAt, of.closedEvent) ? 'closed' : 'open';
}

/** Each failure is counted where it is stored once; `facts` are those of the failure. */
export function withFailure<
  M extends Registers & FailureFacts & Pick<AlertMember, 'failures' | 'firstAt' | 'state'>,
>(member: M, mark: Mark, facts: FailureFacts): M {
  const counted = {
    ...member,
    failures: member.failures + 1,
    firstAt: mark.at < member.firstAt ? mark.at : member.firstAt,
  };
  if (!isAfter(mark, member.failedAt, member.failedEvent)) return counted;
  const { deviceName, packages, reason, operatingSystem, policyName, exitCode } = facts;
  return withState({
    ...counted,
    ...{ deviceName, packages, reason, operatingSystem, policyName, exitCode },
    failedAt: mark.at,
    failedEvent: mark.event,
  });
}

export function withProof<M extends Registers & Pick<AlertMember, 'state'>>(member: M, mark: Mark): M {
  if (!isAfter(mark, member.fixedAt, member.fixedEvent)) return member;
  return withState({ ...member, fixedAt: mark.at, fixedEvent: mark.event });
}

export function withRemoval<M extends Registers & Pick<AlertMember, 'state'>>(member: M, mark: Mark): M {
  if (!isAfter(mark, member.closedAt, member.closedEvent)) return member;
  return withState({ ...member, closedAt: mark.at, closedEvent: mark.event });
}

function withState<M extends Registers & Pick<AlertMember, 'state'>>(member: M): M {
  return { ...member, state: memberState(member) };
}
