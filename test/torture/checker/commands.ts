/** No command twice, none long after its request, and none reported wrongly. */
import {
  clockTime,
  type Evidence,
  parseJsonField,
  type Rule,
  type TableRow,
  type Violation,
} from './evidence.ts';
import { progressOf } from './rollouts.ts';
import { claimsIn, type RecordedClaim, type Write, writesIn } from './writes.ts';

/** States of a target whose command was certainly not carried out. */
const UNSENT: readonly unknown[] = ['ready', 'refused', 'not_sent', 'not_needed', 'skipped'];
/** States that only a sent command can have. */
const SENT: readonly unknown[] = ['accepted', 'queued', 'answered', 'verified'];
const MINUTE = 60_000;
/** The product's limit, plus tolerance for clocks that differ and a busy machine. */
const OLDEST_MS = 15 * MINUTE + 5 * MINUTE;

/** Only a request that somebody has to agree to can expire. */
export const waitsForApproval = (request: TableRow): boolean => request['expires_at'] !== null;

export type Pair = { readonly write: Write; readonly claim: RecordedClaim };

/** Pairs each write with a claim of the same kind that was sent, in order. */
export function paired(evidence: Evidence): {
  readonly pairs: readonly Pair[];
  readonly surplus: readonly Write[];
} {
  const claims = Map.groupBy(
    claimsIn(evidence)
      .filter(({ target }) => !UNSENT.includes(target['state']))
      .toSorted((a, b) => Number(a.target['issued_at']) - Number(b.target['issued_at'])),
    ({ signature }) => signature,
  );
  const pairs: Pair[] = [];
  const surplus: Write[] = [];
  for (const write of writesIn(evidence).toSorted((a, b) => a.request.at - b.request.at)) {
    const claim = claims.get(write.signature)?.shift();
    if (claim === undefined) surplus.push(write);
    else pairs.push({ write, claim });
  }
  return { pairs, surplus };
}

export const commandsSentOnce: Rule = (evidence) => {
  const { surplus } = paired(evidence);
  const known = new Set(claimsIn(evidence).map(({ signature }) => signature));
  return surplus
    .filter(({ request, signature }) => wasCarriedOut(request.done?.status) || known.has(signature))
    .map(({ request, signature }) => ({
      rule: 'command sent once for each claim',
      what: `${request.method} ${request.path} (${signature}) at ${clockTime(request.at)} belongs to no claim that was sent`,
    }));
};

function wasCarriedOut(status: number | undefined): boolean {
  return status !== undefined && status < 400;
}

/** A command may not be older than the limit, neither by the database's times nor by what people did. */
export const nothingOldSent: Rule = (evidence) =>
  paired(evidence).pairs.flatMap(({ write, claim }): readonly Violation[] => {
    const { request } = claim;
    if (progressOf(request) !== null) return oldInRollout({ write, claim }, evidence);
    const isApproved = waitsForApproval(request);
    const due = Number(isApproved ? request['decided_at'] : request['created_at']);
    const who = isApproved ? request['decided_by'] : request['requester_id'];
    const age = write.request.at - due;
    const lastAct = evidence.acts
      .filter(({ user, at }) => evidence.people[user] === who && at <= write.request.at)
      .reduce((newest, { at }) => Math.max(newest, at), 0);
    const idle = write.request.at - lastAct;
    if (age <= OLDEST_MS && idle <= OLDEST_MS) return [];
    const minutes = Math.round(Math.max(age, lastAct === 0 ? 0 : idle) / MINUTE);
    return [
      {
        rule: 'nothing old is sent',
        what: `${write.signature} was sent ${minutes} minutes after it was asked for or approved (${String(request['id'])})`,
      },
    ];
  });

/**
 * A device that went offline after its facts were read for the approval, and did not come back, gets nothing: the
 * request has to return first, and is read again then.
 */
export const changedGetsNothing: Rule = (evidence) =>
  paired(evidence).pairs.flatMap(({ write, claim: { request, target } }): readonly Violation[] => {
    if (!waitsForApproval(request) || progressOf(request) !== null) return [];
    const { connected, asOf } = parseJsonField(target['facts']);
    if (connected !== true) return [];
    const device = String(target['device_id']);
    const last = evidence.acts
      .filter(
        ({ kind, what }) => kind === 'world' && ONLINE_CHANGES.some((one) => what === `${one} ${device}`),
      )
      .filter(({ at }) => at > Number(asOf) && at < write.request.at - SETTLED_MS)
      .at(-1);
    if (last?.what !== `device-offline ${device}`) return [];
    const what = `${write.signature} was sent although the device went offline before (${String(request['id'])})`;
    return [{ rule: 'what changed after the request gets nothing', what }];
  });

/** What another process took over is looked for, and not sent by the one that stood still meanwhile. */
export const takenOverStaysUnsent: Rule = (evidence) => {
  const { pairs } = paired(evidence);
  const writes = Map.groupBy(claimsIn(evidence), ({ signature }) => signature);
  return pairs.flatMap(({ write, claim: { request, target } }): readonly Violation[] => {
    // Of several alike, nothing shows which of them a write belongs to.
    if ((writes.get(write.signature)?.length ?? 0) > 1) return [];
    const taken = evidence.tables.audit.find(
      ({ subject, action, detail }) =>
        subject === request['id'] &&
        action === 'operation.unknown' &&
        parseJsonField(detail)['device'] === target['device_id'] &&
        String(detail).includes('interrupted'),
    );
    if (taken === undefined || write.request.at <= Number(taken['at']) + ON_ITS_WAY_MS) return [];
    const what = `${write.signature} was sent at ${clockTime(write.request.at)}, after its claim was taken over (${String(request['id'])})`;
    return [{ rule: 'what another process took over is not sent', what }];
  });
};

/** Calls that were on their way, and processes whose clocks differ. */
const ON_ITS_WAY_MS = 3 * MINUTE;

const ONLINE_CHANGES = ['device-offline', 'device-online'];
/** A look that began before the change may still be on its way. */
const SETTLED_MS = 15_000;

/** A rollout takes its time, but where nothing of it happened for too long it waits for a person. */
function oldInRollout({ write, claim }: Pair, { tables }: Evidence): readonly Violation[] {
  const { id } = claim.request;
  const plan = parseJsonField(progressOf(claim.request)?.['plan']);
  const last = tables.audit
    .filter(({ subject, at }) => subject === id && Number(at) <= write.request.at)
    .reduce((newest, { at }) => Math.max(newest, Number(at)), 0);
  const idle = write.request.at - last - Number(plan['waitMs'] ?? 0);
  if (idle <= OLDEST_MS) return [];
  const minutes = Math.round(idle / MINUTE);
  const what = `${write.signature} was sent ${minutes} minutes after anything happened to ${String(id)}`;
  return [{ rule: 'nothing old is sent', what }];
}

/**
 * A command that is reported as sent was sent. An edit that finds everything as wanted sends nothing, and any report
 * of the device proves a scan.
 */
export const nothingClaimedUnsent: Rule = (evidence) => {
  const sent = new Set(paired(evidence).pairs.map(({ claim }) => claim.target));
  return claimsIn(evidence)
    .filter(({ target, signature }) => SENT.includes(target['state']) && !/edit$|^create /.test(signature))
    .filter(({ target, signature }) => !(signature.endsWith(' GetOS') && target['state'] === 'verified'))
    .filter(({ target }) => !sent.has(target))
    .map(({ target, signature }) => ({
      rule: 'what is told as sent was sent',
      what: `${signature} is ${String(target['state'])}, but was never sent (${String(target['request_id'])})`,
    }));
};
