/**
 * What the journals and the audit say over time, and not only at the end: a message is looked for before it is posted
 * again, nothing is claimed during a pause, and commands come in the order of holds and waves.
 */
import {
  clockTime,
  type Evidence,
  parseJsonField,
  type RecordedRequest,
  type Rule,
  type TableRow,
  type Violation,
} from './evidence.ts';
import {
  CLAIM,
  deviceIn,
  HOLDS,
  progressOf,
  RELEASES,
  type Rollout,
  rolloutsIn,
  waveAt,
} from './rollouts.ts';
import { type Write, writesIn } from './writes.ts';

const POST = '/api/chat.postMessage';
const LOOK = /^\/api\/conversations\.(?:history|replies)$/;
/** Refused for certain, before any work: what follows need not be looked for. */
const CERTAIN: readonly unknown[] = ['throttle'];

/** How long after its resumption a call of a suspended process arrives that it had begun before. */
const LATE_MS = 30_000;

/**
 * A second post of a key has a look at the channel between: the first one may stand. A process that was suspended in its
 * call looks for nothing: what it sends late is found and removed, as the messages show.
 */
export const lookedBeforeRepeat: Rule = ({ requests, acts }) => {
  const resumed = acts.filter(({ kind, what }) => kind === 'bot' && what === 'resume');
  const isLate = (first: number, second: number) =>
    resumed.some(({ at }) => first <= at && at <= second && second - at < LATE_MS);
  const slack = requests.filter(({ service }) => service === 'slack');
  const last = new Map<string, number>();
  return slack.flatMap((request, index): readonly Violation[] => {
    const key = request.sent?.['key'];
    if (request.path !== POST || typeof key !== 'string') return [];
    const before = last.get(key);
    last.set(key, index);
    const first = before === undefined ? undefined : slack[before];
    if (before === undefined || first === undefined || CERTAIN.includes(first.fault)) return [];
    if (isLate(first.at, request.at)) return [];
    if (slack.slice(before + 1, index).some(({ path }) => LOOK.test(path))) return [];
    const what = `${key} was posted again at ${clockTime(request.at)}, and nobody looked for it`;
    return [{ rule: 'a post is looked for before it is repeated', what }];
  });
};

/** In the order of the audit, no claim of anything comes between a pause of everything and its end. */
export const pausedClaimsNothing: Rule = ({ tables }) => {
  let isPaused = false;
  return inOrder(tables.audit).flatMap((entry): readonly Violation[] => {
    const action = String(entry['action']);
    if (action === 'changes.paused') isPaused = true;
    if (action === 'changes.resumed') isPaused = false;
    if (!isPaused || action !== CLAIM) return [];
    const what = `${deviceIn(entry)} was claimed at ${clockTime(entry['at'])} (${String(entry['subject'])})`;
    return [{ rule: 'nothing is claimed while everything is paused', what }];
  });
};

/** No claim comes after so many devices of its wave went wrong, unless somebody let the rollout go on. */
export const brakeHolds: Rule = ({ tables }) =>
  rolloutsIn(tables).flatMap(({ id, request, entries, waves, targets }) => {
    const { kind, devices } = parseJsonField(parseJsonField(progressOf(request)?.['plan'])['brake']);
    if (kind !== 'devices') return [];
    const bad = new Map<number, number>();
    return entries.flatMap((entry): readonly Violation[] => {
      const action = String(entry['action']);
      if (RELEASES.has(action)) bad.clear();
      const device = deviceIn(entry);
      const position = targets.find((row) => row['device_id'] === device)?.['position'];
      const wave = waveAt(waves, Number(position));
      const before = bad.get(wave) ?? 0;
      if (WENT_WRONG.has(action)) bad.set(wave, before + 1);
      if (action !== CLAIM || before < Number(devices)) return [];
      const what = `${device} was claimed at ${clockTime(entry['at'])} after ${before} of its wave went wrong (${id})`;
      return [{ rule: 'a rollout brakes', what }];
    });
  });

const WENT_WRONG: ReadonlySet<string> = new Set(['operation.refused', 'operation.not_verified']);

/** Calls that were on their way, and processes whose clocks differ. */
const ON_ITS_WAY_MS = 3 * 60_000;

/** No command of a rollout comes long after what holds it and before what lets it go on. */
export const heldSendsNothing: Rule = (evidence) =>
  rolloutsIn(evidence.tables).flatMap((rollout) => {
    const writes = ownWrites(evidence, rollout);
    return rollout.entries.flatMap((entry, index) => {
      const isGate =
        entry['action'] === 'rollout.wave-ended' && parseJsonField(entry['detail'])['waits'] === true;
      if (!isGate && !HOLDS.has(String(entry['action']))) return [];
      const from = Number(entry['at']) + ON_ITS_WAY_MS;
      const next = rollout.entries.slice(index).find(({ action }) => RELEASES.has(String(action)));
      const to = next === undefined ? Number.POSITIVE_INFINITY : Number(next['at']) - ON_ITS_WAY_MS;
      return writes
        .filter(({ request }) => request.at > from && request.at < to)
        .map(({ signature, request }) => ({
          rule: 'a held rollout sends nothing',
          what: `${signature} at ${clockTime(request.at)} after ${String(entry['action'])} (${rollout.id})`,
        }));
    });
  });

/** The first command of a wave comes after the last one of the wave before. */
export const wavesSentInOrder: Rule = (evidence) =>
  rolloutsIn(evidence.tables).flatMap((rollout): readonly Violation[] => {
    let newest = -1;
    return ownWrites(evidence, rollout).flatMap(({ signature, request }) => {
      const device = Number(signature.split(' ')[0]);
      const target = rollout.targets.find((row) => row['device_id'] === device);
      const wave = target === undefined ? newest : waveAt(rollout.waves, Number(target['position']));
      if (wave >= newest) {
        newest = wave;
        return [];
      }
      const what = `${signature} of wave ${wave + 1} at ${clockTime(request.at)}, after wave ${newest + 1} began (${rollout.id})`;
      return [{ rule: 'waves are sent in order', what }];
    });
  });

/** Writes to its devices that no other request explains, in the order of their receipt. */
function ownWrites(evidence: Evidence, { request, targets }: Rollout): readonly Write[] {
  const devices = new Set(targets.map((row) => String(row['device_id'])));
  const others = new Set(
    evidence.tables.request_targets
      .filter((row) => row['request_id'] !== request['id'] && row['issued_at'] !== null)
      .map((row) => String(row['device_id'])),
  );
  return writesIn(evidence).filter(({ signature, request: sent }) => {
    const [device = ''] = signature.split(' ');
    return devices.has(device) && !others.has(device) && isCommand(sent);
  });
}

function isCommand({ path }: RecordedRequest): boolean {
  return path.endsWith('/queues');
}

function inOrder(audit: readonly TableRow[]): readonly TableRow[] {
  return audit.toSorted((a, b) => Number(a['sequence']) - Number(b['sequence']));
}
